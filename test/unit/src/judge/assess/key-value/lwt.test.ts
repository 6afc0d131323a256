/**
 * Lightweight transactions: plans that are bound as they are sent, and rounds judged for linearizability. A history is
 * written as `session from-until operation`: `r1=5` read object 1 as 5, `c1:5>6` set it from 5 to 6, `x1:5>6` found
 * another value and changed nothing, `u1:5>6` was never answered.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../../../../check/index.ts';
import { DISTRIBUTIONS } from '../../../../../../core/base/index.ts';
import { LAST_READ, bindStatement } from '../../../../../../core/sql/index.ts';
import { HistoryBuilder } from '../../../../../../core/history/index.ts';
import type { Random } from '../../../../../../core/base/index.ts';
import type { Statement } from '../../../../../../core/sql/index.ts';
import type { Level } from '../../../../../../core/level/index.ts';
import type { TestCase, TxnPlan } from '../../../../../../core/program/index.ts';
import type { History, HistoryEvent } from '../../../../../../core/history/index.ts';
import { DIALECTS } from '../../../../../../dialects/index.ts';
import { KEY_VALUE_TABLE, createRandom, generateKeyValue, objectOperation } from '../../../../../../schema-gen/index.ts';
import { assessRound } from '../../../../../../src/judge/assess/round.ts';
import { boundCase, assessKeyValue } from '../../../../../../src/judge/assess/key-value/index.ts';
import { spreadOver } from '../../../../../../src/workload/read-only-sessions.ts';
import { WORKLOADS, chosenWorkload } from '../../../../../../src/workload/option.ts';
import { compareAndSet, printed, read, readAll } from './simulate.ts';

const GOLDEN = 'ac51920c752923f28dbae3ea87d4949b6831232a75102c250e1e8f2f83345622';

interface Sent {
  readonly session: number;
  readonly from: number;
  /** No reply: never answered. */
  readonly until?: number;
  readonly statement: Statement;
  readonly rows?: number;
  readonly result?: readonly (readonly string[])[];
  readonly id?: number;
}

function recorded(sent: readonly Sent[], sessions: number): History {
  const events: HistoryEvent[] = sent.flatMap(({ session: s, from, until, statement, rows = 1, result, id }, i): HistoryEvent[] => {
    const at = { s, t: id ?? i + 1, n: 0 };
    const write = statement.kind === 'update';
    const invoke: HistoryEvent = {
      e: 'invoke',
      ...at,
      k: write ? 'update' : s >= sessions ? 'final' : 'select',
      at: from,
      sql: printed(statement),
      op: objectOperation(statement)!,
      auto: true,
      p: 0,
      reads: 'none',
      ...(write && { seq: 1, table: KEY_VALUE_TABLE }),
    };
    if (until === undefined)
      return [
        invoke,
        { e: 'fail', ...at, at: 1e6, code: '08006', class: 'connection', scope: 'connection', message: 'lost' },
        { e: 'end', s, t: at.t, at: 1e6, outcome: 'unknown' },
      ];
    return [
      invoke,
      { e: 'ok', ...at, at: until, rows, ...(result && { result }) },
      { e: 'end', s, t: at.t, at: until, outcome: 'committed' },
    ];
  });
  const order = events
    .map((event, i) => ({ event, i }))
    .sort((a, b) => ('at' in a.event && 'at' in b.event ? a.event.at - b.event.at : 0) || a.i - b.i);
  const builder = new HistoryBuilder({
    e: 'round',
    round: 0,
    seed: 'made',
    dialect: 'memory',
    server: 'memory',
    level: 'serializable',
    mode: 'stress',
    instrument: 'none',
    sessions,
    endpoints: [],
    tables: [KEY_VALUE_TABLE],
    contents: 'values',
    configuration: {},
  });
  for (const { event } of order) builder.add(event);
  builder.add({ e: 'close', round: 0, at: 2e6, complete: true });
  return builder.finish();
}

function bound(statement: Statement, value: number | null): Statement {
  return bindStatement(statement, new Map([[LAST_READ, { type: 'integer', value }]]));
}

function written(...lines: readonly string[]): History {
  const sent = lines.map((line): Sent => {
    const [, session, from, until, kind, key = '', a = '', b] = /^(\d) (\d+)-(\d+) ([rcxu])(\d+)[=:](\d+)(?:>(\d+))?$/.exec(line)!;
    const common = { session: Number(session), from: Number(from), ...(kind !== 'u' && { until: Number(until) }) };
    return kind === 'r'
      ? { ...common, statement: read(Number(key)), result: [[a]] }
      : { ...common, statement: compareAndSet(Number(key), Number(a), Number(b)), rows: kind === 'x' ? 0 : 1 };
  });
  return recorded(sent, 4);
}

function judged(history: History): ReturnType<typeof assessKeyValue>['verdict'] {
  const { verdict } = assessKeyValue(history);
  expect(verdict.defects).toEqual([]);
  expect(assessRound(history).verdict.anomalies).toEqual(verdict.anomalies);
  return verdict;
}

const names = ({ anomalies }: { anomalies: readonly { class: string; shapes: readonly string[] }[] }): string[] =>
  anomalies.map(({ class: name, shapes }) => [name, ...shapes].join(' ')).sort();
const answer = (verdict: ReturnType<typeof judged>, level: Level): unknown => verdict.levels.find((each) => each.level === level)?.answer;

describe('a round of compare-and-sets is judged for linearizability', () => {
  it('a chain in which each follows what it expected is linearizable, and so is one that found another value', () => {
    const verdict = judged(
      written('0 1-2 r1=0', '1 1-3 r1=0', '0 4-8 c1:0>5', '1 5-9 x1:0>6', '1 10-11 r1=5', '1 12-13 c1:5>7', '0 14-15 r1=7'),
    );
    expect(names(verdict)).toEqual([]);
    expect(verdict.levels.every((each) => each.answer === true)).toBe(true);
    expect(verdict.levels.some(({ level }) => level === 'strict-serializable')).toBe(true);
  });

  it('two that both set the object from one value have lost an update', () => {
    const verdict = judged(written('0 1-2 r1=0', '1 1-3 r1=0', '0 4-8 c1:0>5', '1 5-9 c1:0>6'));
    expect(names(verdict)).toEqual(['G-single-item lost update']);
    expect(answer(verdict, 'strict-serializable')).toBe(false);
    expect(answer(verdict, 'snapshot-isolation')).toBe(false);
    expect(verdict.anomalies[0]!.transactions).toEqual(expect.arrayContaining([3, 4]));
    for (const dialect of DIALECTS)
      for (const { level } of dialect.levels)
        expect(judge(verdict.anomalies[0]!, level, {}, dialect.promises).verdict, `${dialect.name} ${level}`).toBe('bug');
  });

  it('one that expected what had been replaced before it began has lost an update too', () => {
    expect(names(judged(written('0 1-2 c1:0>5', '0 3-4 c1:5>6', '1 8-9 c1:5>7')))).toEqual(['G-single-item lost update']);
  });

  it('a read behind what had been set before it began is stale, which only strict serializability forbids', () => {
    const verdict = judged(written('0 1-2 c1:0>5', '1 4-5 r1=0'));
    expect(verdict.anomalies).toHaveLength(1);
    expect(answer(verdict, 'strict-serializable')).toBe(false);
    expect(answer(verdict, 'serializable')).toBe(true);
    expect(names(judged(written('0 1-4 c1:0>5', '1 3-5 r1=0')))).toEqual([]);
  });

  it('a value that was set before it was there is no order of time', () => {
    const verdict = judged(written('0 8-9 c1:0>5', '1 1-2 c1:5>6'));
    expect(answer(verdict, 'strict-serializable')).toBe(false);
    expect(answer(verdict, 'serializable')).toBe(true);
    expect(verdict.anomalies[0]!.transactions).toEqual(expect.arrayContaining([1, 2]));
  });

  it('a value of one that said it changed nothing is a dirty read', () => {
    const verdict = judged(written('0 1-2 x1:4>5', '1 4-5 r1=5'));
    expect(names(verdict)).toEqual(['G1a dirty read']);
    expect(verdict.anomalies[0]!.transactions).toEqual([2, 1]);
  });

  it('one that was never answered proves nothing until its value is read', () => {
    expect(names(judged(written('0 1-2 u1:0>5', '1 4-5 c1:0>6', '1 7-8 r1=6')))).toEqual([]);
    expect(names(judged(written('0 1-2 u1:0>5', '1 4-5 r1=0', '1 7-8 r1=5', '1 9-10 c1:5>6')))).toEqual([]);
    expect(names(judged(written('0 1-2 u1:0>5', '1 4-5 c1:0>6', '1 7-8 r1=5')))).toContain('G-single-item lost update');
  });

  it('the closing read of all objects is a read of each', () => {
    const all = (...values: string[]): Sent => ({
      session: 4,
      from: 20,
      until: 21,
      statement: readAll,
      result: values.map((value, key) => [String(key), value]),
    });
    const set = (key: number, from: number): Sent => ({ session: 0, from, until: from + 1, statement: compareAndSet(key, 0, from) });
    expect(names(judged(recorded([set(0, 1), set(1, 3), all('1', '3')], 4)))).toEqual([]);
    const stale = judged(recorded([set(0, 1), set(1, 3), all('1', '0')], 4));
    expect(stale.anomalies).toHaveLength(1);
    expect(answer(stale, 'strict-serializable')).toBe(false);
  });
});

const plans = ({ sessions }: TestCase): readonly TxnPlan[] => sessions.flatMap(({ transactions }) => transactions);

/** Each statement takes effect at one moment between its invocation and its reply; `wrong`: some compare nothing. */
function executed(testCase: TestCase, random: Random, wrong: number): History {
  const state = testCase.schema.tables[0]!.rows.map((row) => String(row[1]));
  const next = testCase.sessions.map(() => 0);
  const last: (string | null)[] = testCase.sessions.map(() => null);
  const free = testCase.sessions.map(() => 0);
  const sent: Sent[] = [];
  for (let now = 10; ; now += 10) {
    const ready = testCase.sessions.flatMap(({ transactions }, s) => (next[s]! < transactions.length ? [s] : []));
    if (ready.length === 0) break;
    const s = random.pick(ready);
    const { id, statements } = testCase.sessions[s]!.transactions[next[s]!++]!;
    const statement = bound(statements[0]!, last[s] === null ? null : Number(last[s]));
    const operation = objectOperation(statement)!;
    const key = operation.key!;
    const from = Math.max(free[s]! + 1, now - random.int(0, 40));
    const until = now + random.int(1, 9);
    free[s] = until;
    if (operation.do !== 'write') {
      last[s] = state[key]!;
      sent.push({ session: s, from, until, statement, id, result: [[state[key]!]] });
      continue;
    }
    const applies = state[key] === String(operation.expected) || random.chance(wrong);
    if (applies) state[key] = String(operation.value);
    sent.push({ session: s, from, until, statement, id, rows: applies ? 1 : 0 });
  }
  return recorded(sent, testCase.sessions.length);
}

describe('executed compare-and-sets', () => {
  it('are clean where each takes effect at one moment, though they overlap', () => {
    for (let seed = 0; seed < 10; seed++) {
      const testCase = generateKeyValue(`lwt ${seed}`, { kind: 'lwt', sessions: 4, transactions: 25, objects: 3 });
      const history = executed(testCase, createRandom(`order ${seed}`), 0);
      const verdict = judged(history);
      expect(names(verdict), verdict.anomalies[0]?.explanation).toEqual([]);
      expect(answer(verdict, 'strict-serializable')).toBe(true);
      const rows = [...history.statements.rows].filter((_, s) => history.statements.kind[s] === 'update');
      expect(rows.filter((count) => count === 1).length).toBeGreaterThan(5);
      expect(rows.filter((count) => count === 0).length).toBeGreaterThan(5);
    }
  });

  it('lose updates where a few compare nothing', () => {
    const testCase = generateKeyValue('lossy', { kind: 'lwt', sessions: 4, transactions: 25, objects: 2 });
    const verdict = judged(executed(testCase, createRandom('order'), 0.2));
    expect(names(verdict)).toContain('G-single-item lost update');
    expect(answer(verdict, 'strict-serializable')).toBe(false);
  });

  it('stand in the case that is replayed with what they expected, as the record has it', () => {
    const testCase = generateKeyValue('bound', { kind: 'lwt', sessions: 3, transactions: 12, objects: 2 });
    const history = executed(testCase, createRandom('order'), 0);
    const ran = boundCase(testCase, history);
    expect(ran.binds).toBeUndefined();
    expect(JSON.stringify(ran)).not.toContain(LAST_READ);
    const bySql = new Map(
      Array.from(history.statements.sql, (sql, s) => [history.transactions.id[history.statements.txn[s]!], sql] as const),
    );
    for (const { id, statements } of plans(ran)) expect(printed(statements[0]!)).toBe(bySql.get(id));
  });
});

describe('cases of lwt', () => {
  it('are the same bytes for the same seed, on every machine', () => {
    const json = JSON.stringify(generateKeyValue('7/0', { kind: 'lwt' }));
    expect(JSON.stringify(generateKeyValue('7/0', { kind: 'lwt' }))).toBe(json);
    expect(createHash('sha256').update(json).digest('hex')).toBe(GOLDEN);
  });

  it.each(DISTRIBUTIONS)('are reads and compare-and-sets of single objects, by %s, each value once', (distribution) => {
    const testCase = generateKeyValue('keys', { kind: 'lwt', distribution, objects: 7, sessions: 3, transactions: 100 });
    const values: number[] = [];
    for (const { transactions } of testCase.sessions) {
      let key: number | undefined;
      for (const { statements, autocommit } of transactions) {
        expect(autocommit).toBe(true);
        expect(statements).toHaveLength(1);
        const operation = objectOperation(bound(statements[0]!, 3))!;
        if (operation.do === 'write') {
          expect(operation).toMatchObject({ key, expected: 3 });
          values.push(operation.value);
        } else key = operation.key;
        expect(key).toBeLessThan(7);
      }
    }
    expect(new Set(values).size).toBe(values.length);
    expect(values).not.toContain(0);
    expect(values.length).toBeGreaterThan(120);
    expect(values.length).toBeLessThan(180);
  });

  it('have a schedule of all their steps where one is asked for', () => {
    const testCase = generateKeyValue('s', { kind: 'lwt', mode: 'schedule' });
    expect(testCase.schedule).toHaveLength(plans(testCase).length);
  });

  it('say what they expect and set, and so does what a session without writes reads instead', () => {
    const testCase = generateKeyValue('spelt', { kind: 'lwt', sessions: 2, transactions: 20 });
    const readers = spreadOver(testCase, [{ readOnly: false }, { readOnly: true }]);
    const conditions: unknown[] = [];
    for (const { statements } of plans(readers))
      for (const expected of [4711, null]) {
        const statement = bound(statements[0]!, expected);
        const operation = objectOperation(statement)!;
        expect(operation.do).toBe(statement.kind === 'update' ? 'write' : 'read');
        if (JSON.stringify(statements[0]).includes(LAST_READ)) {
          expect(operation).toMatchObject({ expected });
          conditions.push(operation.do);
        } else expect(operation).not.toHaveProperty('expected');
      }
    expect(conditions).toEqual(expect.arrayContaining(['read', 'write']));
  });

  it('are chosen by --workload lwt, whose words choose them again', async () => {
    const workload = await chosenWorkload('lwt', { mode: 'stress' }).make(
      { mode: 'stress', sessions: 2, objects: 5, distribution: 'hotspot', transactions: 3 },
      DIALECTS[0]!,
    );
    expect(workload.words).toBe('--workload lwt --objects 5 --distribution hotspot --transactions 3');
    expect(workload.instrument).toBe('none');
    expect(workload.caseOf('1/0').sessions[0]!.transactions).toHaveLength(3);
    expect(WORKLOADS.find(({ name }) => name === 'lwt')!.takes).not.toContain('operations');
  });
});
