/** Invariants of a workload file over a run's rounds: counted, told once, and a failure where every anomaly is ruled out. */
import { describe, expect, test } from 'vitest';
import { DatabaseError, STATEMENT_STATUS, TXN_STATUS, UsageError } from '../../../core/index.ts';
import type { Connection, History, InvariantReport, LevelReport, Report } from '../../../core/index.ts';
import { DIALECTS, postgres } from '../../../dialects/index.ts';
import { summaryText } from '../../../reports/index.ts';
import { exitCode } from '../../../src/commands/run.ts';
import { InvariantTally, ranInPart, rulesOutAll } from '../../../src/invariant-tally.ts';
import { askInvariants, expectInvariants } from '../../../src/run/invariants.ts';
import type { RoundSetup } from '../../../src/run/index.ts';

const broken = { name: 'sum', count: 2, columns: ['id', 'total'], rows: [['1', '-5'], ['2', null]] };
const held = { name: 'sum', count: 0, columns: ['id', 'total'], rows: [] };

describe('the invariants of a level', () => {
  test('are counted by round, and a broken one is told with its rows the first time', () => {
    const tally = new InvariantTally();
    expect(tally.report()).toEqual({});
    expect(tally.round(0, [held], false)).toEqual([]);
    expect(tally.round(1, [broken], false)).toEqual(['the invariant sum is broken: 2 rows: (id 1, total -5), (id 2, total NULL)']);
    expect(tally.round(2, [broken], false)).toEqual([]);
    expect(tally.report().invariants).toEqual([{ name: 'sum', rounds: 3, broken: 2, first: { round: 1, rows: '2 rows: (id 1, total -5), (id 2, total NULL)' }, ruledOut: false }]);
  });

  test('tell how to see whether the transactions break it by themselves, where the documents rule out every anomaly', () => {
    expect(new InvariantTally().round(0, [broken], true)[0]).toMatch(/rule out every anomaly at this level \(with --sessions 1/);
  });
});

describe('an invariant that the server refuses', () => {
  /** The name is the query: what is to come of it. */
  function asked(...names: readonly string[]): RoundSetup {
    const query = async (sql: string): Promise<unknown> => {
      if (sql === 'refused') throw Object.assign(new Error('column "id" must appear in GROUP BY'), { code: '42803', severity: 'ERROR' });
      if (sql === 'lost') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return { columns: ['id'], rows: sql === 'broken' ? [['1']] : [], affected: 0 };
    };
    const connection = { query, end: async () => undefined } as unknown as Connection;
    return { dialect: { ...postgres, connect: async () => connection }, namespace: 'n', urls: ['u'], invariants: names.map((name) => ({ name, sql: name })) } as unknown as RoundSetup;
  }

  test('of the initial rows is told by its name with what the server says', async () => {
    await expect(expectInvariants(asked('held', 'refused'), 'u')).rejects.toThrow(UsageError);
    await expect(expectInvariants(asked('held', 'refused'), 'u')).rejects.toThrow(/the invariant refused is refused by the server: column "id" must appear in GROUP BY/);
    await expect(expectInvariants(asked('held', 'lost'), 'u')).rejects.toThrow(DatabaseError);
  });

  test('after a round leaves the others their answers, and is not counted as holding', async () => {
    const answers = await askInvariants(asked('held', 'refused', 'broken'), 'u');
    expect(await askInvariants({ ...asked(), invariants: [{ name: 'held', sql: 'held', unjudged: 'why' }] }, 'u')).toMatchObject([{ unjudged: 'why' }]);
    expect(answers.map(({ name, count, failed }) => [name, count, failed !== undefined])).toEqual([['held', 0, false], ['refused', 0, true], ['broken', 1, false]]);
    const tally = new InvariantTally();
    expect(tally.round(0, answers, true)).toEqual([expect.stringContaining('the invariant refused could not be asked: column "id" must appear in GROUP BY'), expect.stringContaining('the invariant broken is broken')]);
    expect(tally.round(1, answers, true)).toEqual([]);
    expect(tally.report().invariants).toMatchObject([{ name: 'held', rounds: 2, broken: 0 }, { name: 'broken', rounds: 2, broken: 2 }]);
  });
});

test('one that is broken beside a transaction committed in part is no failure, until whole ones break it', () => {
  const tally = new InvariantTally();
  expect(tally.round(0, [broken], true, true)[0]).toMatch(/committed without a statement that failed/);
  expect(tally.report().invariants).toMatchObject([{ broken: 1, ruledOut: false, first: { round: 0 } }]);
  expect(tally.round(1, [broken], true, false)[0]).toMatch(/rule out every anomaly/);
  expect(tally.report().invariants).toMatchObject([{ broken: 2, ruledOut: true, first: { round: 1 } }]);
  expect(tally.round(2, [broken], true, true)).toEqual([]);
  expect(tally.report().invariants).toMatchObject([{ broken: 3, ruledOut: true, first: { round: 1 } }]);
});

test('one that a correct server may break at any level is no failure, and the note says why', () => {
  const tally = new InvariantTally();
  const unjudged = 'it counts on jobs.id, numbers that the server gives';
  expect(tally.round(0, [{ ...held, unjudged }], true)).toEqual([]);
  expect(tally.round(1, [{ ...broken, unjudged }], true)).toEqual([expect.stringMatching(/^the invariant sum is broken: .*; it is no bug for that: it counts on jobs\.id/)]);
  expect(tally.report().invariants).toMatchObject([{ rounds: 2, broken: 1, ruledOut: false }]);
  expect(new InvariantTally().round(0, [{ ...broken, unjudged }], false)[0]).not.toMatch(/no bug/);
});

test('a transaction ran in part where one of its statements failed and it was not aborted', () => {
  const history = (statement: number, transaction: number): History => ({ statements: { count: 1, txn: [1], status: [statement] }, transactions: { status: [0, transaction] } }) as unknown as History;
  const { ok, failed } = STATEMENT_STATUS;
  expect(ranInPart(history(failed, TXN_STATUS.committed))).toBe(true);
  expect(ranInPart(history(failed, TXN_STATUS.aborted))).toBe(false);
  expect(ranInPart(history(ok, TXN_STATUS.committed))).toBe(false);
});

test('every anomaly is ruled out at SERIALIZABLE of the DBMSs that ran live, and at no other level', () => {
  for (const dialect of DIALECTS) {
    for (const { level } of dialect.levels) expect([dialect.name, level, rulesOutAll(dialect, level, {})]).toEqual([dialect.name, level, dialect.ranLive && level === 'serializable']);
  }
});

describe('a report with a broken invariant', () => {
  const report = (invariant: InvariantReport): Report => {
    const coverage = { rounds: 3, transactions: 9, statements: 9, committed: 9, aborted: 0, unknown: 0, errors: {}, reads: {}, conflicts: { 'update-update ww': 1 }, blocked: 0 };
    const level: LevelReport = { target: 't', level: 'serializable', server: 's', configuration: {}, coverage, answers: [{ level: 'serializable', answer: true }], classes: {}, shapes: {}, invariants: [invariant] };
    return { tool: 'anomalist', runId: 'r', seed: '1', command: '', startedAt: '', seconds: 1, mode: 'stress', instrument: 'exact', levels: [level], findings: [], notes: [] };
  };
  const invariant = { name: 'sum', rounds: 3, broken: 2, first: { round: 1, rows: '1 row: (id 1)' } };

  test('fails a run where every anomaly is ruled out, elsewhere only where any is asked for', () => {
    const codes = (ruledOut: boolean): number[] => (['bug', 'new', 'any'] as const).map((failOn) => exitCode(report({ ...invariant, ruledOut }), failOn, new Set()));
    expect([codes(true), codes(false)]).toEqual([[1, 1, 1], [0, 0, 1]]);
    expect(exitCode(report({ name: 'sum', rounds: 3, broken: 0, ruledOut: true }), 'any', new Set())).toBe(0);
  });

  test('says so', () => {
    expect(summaryText(report({ ...invariant, ruledOut: true }))).toMatch(/BUG: the invariant sum is broken at serializable, where[^]*sum: BROKEN after 2 of 3 rounds, first after round 1 \(1 row: \(id 1\)\)/);
    expect(summaryText(report({ ...invariant, ruledOut: false }))).toMatch(/INCONCLUSIVE: the invariant sum is broken, and no anomaly was seen that explains it[^]*sum: BROKEN after 2 of 3 rounds/);
    expect(summaryText(report({ name: 'sum', rounds: 3, broken: 0, ruledOut: true }))).toMatch(/NOTHING SEEN[^]*sum: held after 3 rounds/);
  });
});
