/**
 * Key-value rounds without a server. `simulate` runs a case in memory: one transaction after the other (`serial`), each
 * on a snapshot of its begin with the first committer winning (`snapshot`), or the same without anybody being refused
 * (`lossy`: MySQL's REPEATABLE READ; an append works on the newest list and locks it, and who meets the lock gives up).
 * `played` records what a test says that its transactions did.
 */
import { bindLastRead } from '../../../../../../core/sql/index.ts';
import { HistoryBuilder } from '../../../../../../core/history/index.ts';
import type { Random } from '../../../../../../core/base/index.ts';
import type { Statement } from '../../../../../../core/sql/index.ts';
import type { Level } from '../../../../../../core/level/index.ts';
import type { TestCase, TxnPlan } from '../../../../../../core/program/index.ts';
import type {
  History,
  HistoryEvent,
  ObjectContents,
  ObjectOperation,
  RoundEvent,
  TxnOutcome,
} from '../../../../../../core/history/index.ts';
import { DIALECTS } from '../../../../../../dialects/index.ts';
import { KEY_VALUE_TABLE, objectOperation } from '../../../../../../schema-gen/index.ts';
import { schemaOf, statementOf } from '../../../../../sql.ts';

export type Isolation = 'serial' | 'snapshot' | 'lossy';

/** As the first of the dialects spells it. */
export function printed(statement: Statement): string {
  return DIALECTS[0]!.print(statement);
}

class Record {
  readonly events: HistoryEvent[] = [];
  private at = 0;
  private readonly numbers = new Map<number, number>();

  sent(
    s: number,
    t: number,
    k: 'begin' | 'commit' | 'select' | 'update' | 'insert' | 'final',
    { statement, late = false, ...more }: { seq?: number; p?: number; statement?: Statement; late?: boolean } = {},
  ): void {
    const n = this.numbers.get(t) ?? 0;
    this.events.push({
      e: 'invoke',
      s,
      t,
      n,
      k,
      at: ++this.at,
      sql: statement ? printed(statement) : k,
      ...(more.seq !== undefined && { table: KEY_VALUE_TABLE }),
      ...(k === 'begin' || k === 'commit' ? {} : { reads: 'none' as const }),
      ...(k === 'select' && { locks: [] }),
      ...(statement && { op: operationOf(statement, late) }),
      ...more,
    });
  }

  ok(s: number, t: number, more: { rows?: number; changed?: number; result?: readonly (readonly string[])[]; tag?: 'commit' } = {}): void {
    const n = this.numbers.get(t) ?? 0;
    this.events.push({ e: 'ok', s, t, n, at: ++this.at, ...more });
    this.numbers.set(t, n + 1);
  }

  fail(s: number, t: number): void {
    const n = this.numbers.get(t) ?? 0;
    this.events.push({
      e: 'fail',
      s,
      t,
      n,
      at: ++this.at,
      code: '40001',
      class: 'serialization',
      scope: 'transaction',
      message: 'refused',
    });
    this.numbers.set(t, n + 1);
  }

  /** A statement that failed in a transaction that goes on. */
  refused(s: number, t: number): void {
    const n = this.numbers.get(t) ?? 0;
    this.events.push({ e: 'fail', s, t, n, at: ++this.at, code: '1205', class: 'lock timeout', scope: 'statement', message: 'too late' });
    this.numbers.set(t, n + 1);
  }

  end(s: number, t: number, outcome: TxnOutcome): void {
    this.events.push({ e: 'end', s, t, at: ++this.at, outcome });
  }

  history(sessions: number, level: Level, contents: ObjectContents, complete = true): History {
    const round: RoundEvent = {
      e: 'round',
      round: 0,
      seed: 'made',
      dialect: 'memory',
      server: 'memory',
      level,
      mode: 'stress',
      instrument: 'none',
      sessions,
      endpoints: [],
      tables: [KEY_VALUE_TABLE],
      contents,
      configuration: {},
    };
    const builder = new HistoryBuilder(round);
    for (const event of this.events) builder.add(event);
    builder.add({ e: 'close', round: 0, at: ++this.at, complete });
    return builder.finish();
  }
}

interface Running {
  readonly plan: TxnPlan;
  readonly snapshot: number;
  readonly own: Map<number, string>;
  readonly added: Map<number, string>;
  /** Objects that were not there. */
  readonly inserted: Set<number>;
  /** The value that its last read returned. */
  lastRead: string | null;
  position: number;
  seq: number;
}

export function simulate(testCase: TestCase, isolation: Isolation, random: Random): History {
  const record = new Record();
  const versions = (testCase.schema.tables[0]?.rows ?? []).map((row) => [{ value: String(row[1]), since: 0 }]);
  const there = versions.length;
  const lates = testCase.sessions.flatMap(({ transactions }) =>
    transactions.flatMap(({ statements }) => statements.map((each) => objectOperation(bindLastRead(each, null))?.key ?? 0)),
  );
  while (versions.length <= Math.max(0, ...lates)) versions.push([{ value: '0', since: 0 }]);
  let clock = 0;
  const next = testCase.sessions.map(() => 0);
  const running: (Running | undefined)[] = testCase.sessions.map(() => undefined);
  const newest = (key: number): { value: string; since: number } => versions[key]!.at(-1)!;
  const shown = (run: Running, key: number): string =>
    isolation === 'lossy' && run.added.has(key)
      ? `${newest(key).value}${run.added.get(key)}`
      : (run.own.get(key) ?? `${versions[key]!.findLast(({ since }) => since <= run.snapshot)!.value}${run.added.get(key) ?? ''}`);
  const step = (s: number): void => {
    const run = running[s];
    if (run === undefined) {
      const plan = testCase.sessions[s]!.transactions[next[s]!++]!;
      record.sent(s, plan.id, 'begin');
      record.ok(s, plan.id);
      running[s] = { plan, snapshot: clock, own: new Map(), added: new Map(), inserted: new Set(), lastRead: null, position: 0, seq: 0 };
      return;
    }
    const { id, statements } = run.plan;
    const planned = statements[run.position];
    if (planned === undefined) {
      record.sent(s, id, 'commit');
      const written = [...run.own.keys(), ...run.added.keys()];
      const refused =
        (isolation === 'snapshot' && written.some((key) => newest(key).since > run.snapshot)) ||
        [...run.inserted].some((key) => newest(key).since > 0);
      if (refused) record.fail(s, id);
      else {
        clock++;
        for (const [key, value] of run.own) versions[key]!.push({ value, since: clock });
        for (const [key, value] of run.added) versions[key]!.push({ value: newest(key).value + value, since: clock });
        record.ok(s, id, { tag: 'commit' });
      }
      record.end(s, id, refused ? 'aborted' : 'committed');
      running[s] = undefined;
      return;
    }
    const statement = bindLastRead(planned, run.lastRead === null ? null : Number(run.lastRead));
    const operation = objectOperation(statement)!;
    const key = operation.key!;
    const p = run.position++;
    if (operation.do === 'read') {
      record.sent(s, id, 'select', { p, statement, late: key >= there });
      run.lastRead = shown(run, key);
      record.ok(s, id, key >= there && run.lastRead === '0' ? { rows: 0, result: [] } : { rows: 1, result: [[run.lastRead]] });
      return;
    }
    record.sent(s, id, statement.kind === 'insert' ? 'insert' : 'update', { p, seq: ++run.seq, statement });
    if (isolation === 'lossy' && running.some((other) => other !== run && other?.added.has(key) === true)) {
      record.fail(s, id);
      record.end(s, id, 'aborted');
      running[s] = undefined;
      return;
    }
    if (operation.do === 'write' && operation.ifAbsent === true) {
      // A key is checked against the newest rows.
      const isThere = run.own.has(key) || newest(key).since > 0;
      if (isThere && (statement as { readonly conflict?: unknown }).conflict !== undefined) {
        record.ok(s, id, { rows: 0 });
        return;
      }
      if (isThere) {
        record.fail(s, id);
        record.end(s, id, 'aborted');
        running[s] = undefined;
        return;
      }
      run.inserted.add(key);
    }
    if (operation.do === 'append') run.added.set(key, `${run.added.get(key) ?? ''},${id}.${run.seq}`);
    else run.own.set(key, String(operation.value));
    record.ok(s, id, { rows: 1 });
  };
  for (;;) {
    const ready = running.flatMap((run, s) => (run !== undefined || next[s]! < testCase.sessions[s]!.transactions.length ? [s] : []));
    if (ready.length === 0)
      return record.history(
        testCase.sessions.length,
        'serializable',
        typeof testCase.schema.tables[0]!.rows[0]![1] === 'string' ? 'lists' : testCase.binds === true ? 'repeated' : 'values',
      );
    const s = random.pick(ready);
    step(s);
    if (isolation !== 'serial') continue;
    while (running[s] !== undefined) step(s);
  }
}

/**
 * `r1=5`: read object 1 as 5; `r1`: found no such object; `w1=6`: wrote 6; `a1`: appended; `n1=6`: a write that met no row;
 * `u1=6`: an UPDATE that found 6 there already;
 * `x1=6`: a write that failed, the transaction went on. Of an object that is absent at first: `l1`: looked for it in vain; `l1=6`:
 * found it; `i1=6`: inserted it; `k1=6`: an INSERT that kept what was there; `o1=6`: one that wrote over it.
 */
export interface Played {
  readonly session?: number;
  readonly ops: string;
  readonly outcome?: TxnOutcome;
}

export interface PlayedOptions {
  readonly inTurn?: boolean;
  readonly level?: Level;
  /** Default: values. */
  readonly contents?: ObjectContents;
  /** What the closing read shows, `1=5 2=0`; absent: there is none. */
  readonly closing?: string;
  readonly complete?: boolean;
}

/** All begin before any ends, unless `inTurn`; they end in order. Transaction ids are 1, 2, ... */
export function played(
  txns: readonly Played[],
  { inTurn = false, level = 'serializable', contents = 'values', closing, complete = true }: PlayedOptions = {},
): History {
  const record = new Record();
  const begin = (i: number): void => {
    record.sent(sessionOf(i), i + 1, 'begin');
    record.ok(sessionOf(i), i + 1);
  };
  const sessionOf = (i: number): number => txns[i]!.session ?? i;
  const rest = (i: number): void => {
    const { ops, outcome = 'committed' } = txns[i]!;
    const s = sessionOf(i);
    const statements: Statement[] = [];
    let seq = 0;
    for (const word of ops.split(' ')) {
      const [, kind, key = '', value] = /^([rwxanuliko])(\d+)(?:=([\d.,]+))?$/.exec(word)!;
      const reads = kind === 'r' || kind === 'l';
      if (!reads) seq++;
      const p = statements.push(statementFor(kind!, Number(key), Number(value), `,${i + 1}.${seq}`)) - 1;
      const sent = reads ? 'select' : 'iko'.includes(kind!) ? 'insert' : 'update';
      record.sent(s, i + 1, sent, { p, statement: statements[p]!, late: kind === 'l', ...(!reads && { seq }) });
      if (kind === 'x') record.refused(s, i + 1);
      else if (reads) record.ok(s, i + 1, value === undefined ? { rows: 0, result: [] } : { rows: 1, result: [[value]] });
      else record.ok(s, i + 1, { rows: kind === 'n' || kind === 'k' ? 0 : 1, ...(kind === 'u' && { changed: 0 }) });
    }
    record.sent(s, i + 1, 'commit');
    if (outcome === 'committed') record.ok(s, i + 1, { tag: 'commit' });
    else if (outcome === 'aborted') record.fail(s, i + 1);
    record.end(s, i + 1, outcome);
  };
  txns.forEach((_, i) => {
    begin(i);
    if (inTurn) rest(i);
  });
  if (!inTurn) txns.forEach((_, i) => rest(i));
  const sessions = Math.max(...txns.map((_, i) => sessionOf(i))) + 1;
  if (closing !== undefined) {
    const [s, t] = [sessions, txns.length + 1];
    record.sent(s, t, 'begin');
    record.ok(s, t);
    record.sent(s, t, 'final', { statement: readAll });
    const result = closing
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => word.split('='));
    record.ok(s, t, { rows: result.length, result });
    record.sent(s, t, 'commit');
    record.ok(s, t, { tag: 'commit' });
    record.end(s, t, 'committed');
  }
  return record.history(sessions, level, contents, complete);
}

function operationOf(statement: Statement, late: boolean): ObjectOperation {
  const operation = objectOperation(statement)!;
  return late && operation.do === 'read' ? { ...operation, late } : operation;
}

const KV = schemaOf(`CREATE TABLE ${KEY_VALUE_TABLE} (k int PRIMARY KEY, v int)`);
const LISTS = schemaOf(`CREATE TABLE ${KEY_VALUE_TABLE} (k int PRIMARY KEY, v text)`);

export const readAll: Statement = statementOf(KV, `SELECT k, v FROM ${KEY_VALUE_TABLE}`);

function statementFor(kind: string, key: number, value: number, element: string): Statement {
  if (kind === 'r' || kind === 'l') return read(key);
  if (kind === 'a') return append(key, element);
  const conflict = { i: undefined, k: 'nothing', o: 'update' } as const;
  return kind in conflict ? insert(key, value, conflict[kind as keyof typeof conflict]) : write(key, value);
}

function insert(k: number, value: number, ifThere: 'nothing' | 'update' | undefined): Statement {
  const conflicts = { nothing: 'ON CONFLICT (k) DO NOTHING', update: `ON CONFLICT (k) DO UPDATE SET v = ${value}` };
  return statementOf(
    KV,
    `INSERT INTO ${KEY_VALUE_TABLE} (k, v) VALUES (${k}, ${value}) ${ifThere === undefined ? '' : conflicts[ifThere]}`,
  );
}

function append(k: number, element: string): Statement {
  return statementOf(LISTS, `UPDATE ${KEY_VALUE_TABLE} SET v = v || '${element}' WHERE k = ${k}`);
}

export function read(k: number): Statement {
  return statementOf(KV, `SELECT v FROM ${KEY_VALUE_TABLE} WHERE k = ${k}`);
}

function write(k: number, value: number): Statement {
  return statementOf(KV, `UPDATE ${KEY_VALUE_TABLE} SET v = ${value} WHERE k = ${k}`);
}

/** As it is sent: what it expects is bound. */
export function compareAndSet(k: number, expected: number, value: number): Statement {
  return statementOf(KV, `UPDATE ${KEY_VALUE_TABLE} SET v = ${value} WHERE k = ${k} AND v = ${expected}`);
}
