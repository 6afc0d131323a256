/** Invariants of a workload file over a run's rounds: counted, told once, and a bug only where the same transactions keep it one after the other. */
import { describe, expect, test } from 'vitest';
import { DatabaseError, TXN_STATUS, UsageError } from '../../../../core/base/index.ts';
import { STATEMENT_STATUS } from '../../../../core/history/index.ts';
import type { AnyLevelFeature } from '../../../../core/level/index.ts';
import type { Connection } from '../../../../core/dialect/index.ts';
import type { History } from '../../../../core/history/index.ts';
import type { InvariantReport, LevelReport, Report } from '../../../../core/verdict/index.ts';
import { DIALECTS, postgres } from '../../../../dialects/index.ts';
import { invariantWhy, detailsText, noteTexts } from '../../../../reports/index.ts';
import { exitCode } from '../../../../src/app/commands/run.ts';
import { InvariantTally } from '../../../../src/judge/tally/invariants.ts';
import { invariantVerdict, overlapped, promiseOfAll, ranInPart } from '../../../../src/judge/assess/invariant-verdict.ts';
import type { BrokenRound, ControlAnswer } from '../../../../src/judge/assess/invariant-verdict.ts';
import { askInvariants, expectInvariants } from '../../../../src/execute/invariants.ts';
import type { RoundSetup } from '../../../../src/execute/index.ts';

const broken = {
  name: 'sum',
  count: 2,
  columns: ['id', 'total'],
  rows: [
    ['1', '-5'],
    ['2', null],
  ],
};
const held = { name: 'sum', count: 0, columns: ['id', 'total'], rows: [] };

/** A round at a level where the documents rule out everything, in which whole transactions overlapped. */
const STRICT: BrokenRound = { promise: 'bug', inPart: false, overlapped: true };
const WEAK: BrokenRound = { ...STRICT, promise: 'documented' };
const NUMBERED: AnyLevelFeature = { code: 'uses-numbers', use: { kind: 'column', name: 'jobs.id' } };
const KEPT: Extract<ControlAnswer, { kind: 'kept' }> = { kind: 'kept', orders: ['commits', 'commits-reversed'] };
const UNABLE: Extract<ControlAnswer, { kind: 'unable' }> = {
  kind: 'unable',
  failure: { code: 'ended-early', failure: 'the server is gone' },
  order: 'commits',
};
const CULPRIT = {
  transaction: 3,
  name: 'go',
  statements: ['UPDATE a SET v = 2'],
  order: 'the order of their commits',
  rows: '1 row: (v 2)',
};
const BROKEN: ControlAnswer = { kind: 'broken', culprit: CULPRIT };
const control = (answer: ControlAnswer): ReadonlyMap<string, ControlAnswer> => new Map([['sum', answer]]);

describe('who broke an invariant', () => {
  test.each(['bug', 'documented', 'undocumented'] as const)(
    'where the documents say %s, they do so only of what the same transactions kept one after the other',
    (promise) => {
      const verdict = invariantVerdict({ ...STRICT, promise }, undefined, KEPT);
      expect(verdict).toMatchObject({ verdict: promise });
      expect(invariantWhy(verdict)).toMatch(
        /the documents .*, and one after the other the same transactions kept it \(in the order of their commits; in the reverse/,
      );
      expect(invariantVerdict({ ...STRICT, promise }, undefined, BROKEN)).toEqual({ verdict: 'yours', culprit: CULPRIT });
      expect(invariantVerdict({ ...STRICT, promise }, undefined, UNABLE)).toMatchObject({
        verdict: 'unknown',
        reason: { code: 'control-failed', failure: UNABLE.failure, order: 'commits' },
      });
      expect(invariantVerdict({ ...STRICT, promise }, undefined, undefined)).toMatchObject({ verdict: 'unknown' });
    },
  );

  test('an order in which a transaction ends by its own IF rules no bug in, and no documented behaviour out', () => {
    const ended: ControlAnswer = { kind: 'kept', orders: ['commits'], ended: 7 };
    expect(invariantVerdict(STRICT, undefined, ended)).toMatchObject({
      verdict: 'unknown',
      reason: { code: 'ended-itself', kept: ['commits'], transaction: 7 },
    });
    expect(invariantVerdict(WEAK, undefined, ended)).toMatchObject({ verdict: 'documented' });
  });

  test('nothing is a bug of a round in which nobody was beside anybody, or in which a transaction ran in part', () => {
    expect(invariantVerdict({ ...STRICT, overlapped: false }, undefined, KEPT)).toMatchObject({
      verdict: 'unknown',
      reason: { code: 'no-overlap', kept: KEPT.orders },
    });
    expect(invariantVerdict({ ...STRICT, inPart: true }, undefined, KEPT)).toMatchObject({
      verdict: 'unknown',
      reason: { code: 'ran-in-part' },
    });
    for (const round of [
      { ...STRICT, overlapped: false },
      { ...STRICT, inPart: true },
    ])
      expect(invariantVerdict(round, undefined, BROKEN)).toMatchObject({ verdict: 'yours' });
  });

  test('a correct server may break some at any level', () => {
    expect(invariantVerdict(STRICT, NUMBERED, undefined)).toEqual({
      verdict: 'undocumented',
      reason: { code: 'any-level', feature: NUMBERED },
    });
  });
});

describe('transactions overlapped', () => {
  interface Span {
    readonly id: number;
    readonly session: number;
    readonly from: number;
    readonly to?: number;
    readonly status?: number;
    readonly lastReply?: number;
  }
  const { committed, aborted, unknown } = TXN_STATUS;
  const history = (...spans: readonly Span[]): History =>
    ({
      transactions: {
        count: spans.length + 1,
        id: [0, ...spans.map(({ id }) => id)],
        session: [-1, ...spans.map(({ session }) => session)],
        status: [committed, ...spans.map(({ status = committed }) => status)],
        beginAt: [Number.NaN, ...spans.map(({ from }) => from)],
        endAt: [Number.NaN, ...spans.map(({ to = Number.NaN }) => to)],
      },
      statements: {
        count: spans.length,
        txn: spans.map((_, n) => n + 1),
        replyAt: spans.map(({ lastReply, to = Number.NaN }) => lastReply ?? to),
      },
    }) as unknown as History;
  const ids = new Set([1, 2]);

  test('where one began before another one had ended', () => {
    expect(overlapped(history({ id: 1, session: 0, from: 0, to: 10 }, { id: 2, session: 1, from: 5, to: 15 }), ids)).toBe(true);
    expect(overlapped(history({ id: 2, session: 1, from: 11, to: 15 }, { id: 1, session: 0, from: 0, to: 10 }), ids)).toBe(false);
    expect(overlapped(history({ id: 1, session: 0, from: 0, to: 10 }, { id: 9, session: 1, from: 5, to: 15 }), ids)).toBe(false);
  });

  test('not within one session, and one that was aborted had ended with its last reply', () => {
    expect(overlapped(history({ id: 1, session: 0, from: 0, status: unknown }, { id: 2, session: 0, from: 5, to: 15 }), ids)).toBe(false);
    expect(
      overlapped(history({ id: 1, session: 0, from: 0, status: aborted, lastReply: 3 }, { id: 2, session: 1, from: 5, to: 15 }), ids),
    ).toBe(false);
    expect(
      overlapped(history({ id: 1, session: 0, from: 0, status: aborted, lastReply: 7 }, { id: 2, session: 1, from: 5, to: 15 }), ids),
    ).toBe(true);
    expect(
      overlapped(history({ id: 1, session: 0, from: 0, status: unknown, lastReply: 3 }, { id: 2, session: 1, from: 5, to: 15 }), ids),
    ).toBe(true);
  });
});

describe('the invariants of a level', () => {
  test('are counted by round, and a broken one is told with its rows the first time', () => {
    const tally = new InvariantTally();
    expect(tally.report()).toEqual({});
    expect(tally.round(0, [held], WEAK)).toEqual([]);
    expect(noteTexts(tally.round(1, [broken], WEAK, control(KEPT)))).toEqual([
      expect.stringMatching(
        /^the invariant sum is broken: 2 rows: \(id 1, total -5\), \(id 2, total NULL\); documented: the documents allow anomalies/,
      ),
    ]);
    expect(tally.round(2, [broken], WEAK)).toEqual([]);
    expect(tally.report().invariants).toEqual([
      {
        name: 'sum',
        rounds: 3,
        broken: 2,
        ruledOut: false,
        first: { round: 1, rows: '2 rows: (id 1, total -5), (id 2, total NULL)' },
        verdict: 'documented',
        reason: { code: 'documents', promise: 'documented', kept: KEPT.orders },
      },
    ]);
  });

  test('name the transaction that breaks one with nobody beside it, and hold nothing against the server', () => {
    const tally = new InvariantTally();
    expect(noteTexts(tally.round(0, [broken], STRICT, control(BROKEN)))).toEqual([
      expect.stringMatching(
        /your transactions break it one after the other, so nothing is held against the server: run in the order of their commits, with nobody beside it, transaction 3 \(go\) left 1 row: \(v 2\)\. It sends: UPDATE a SET v = 2$/,
      ),
    ]);
    expect(tally.round(1, [broken], STRICT, control(KEPT))).toEqual([]);
    expect(tally.report().invariants).toMatchObject([{ ruledOut: true, verdict: 'yours', culprit: CULPRIT, broken: 2 }]);
  });

  test('are tried one after the other once each, and a few times where that cannot be had', () => {
    const tally = new InvariantTally();
    expect(tally.toControl([held])).toEqual([]);
    expect(tally.toControl([{ ...broken, unjudged: NUMBERED }])).toEqual([]);
    for (let round = 0; round < 3; round++) {
      expect(tally.toControl([broken])).toEqual(['sum']);
      expect(tally.round(round, [broken], STRICT, control(UNABLE))).toHaveLength(round === 0 ? 1 : 0);
    }
    expect(tally.toControl([broken])).toEqual([]);
    expect(tally.report().invariants).toMatchObject([
      { verdict: 'unknown', reason: { code: 'control-failed', failure: UNABLE.failure, order: 'commits' } },
    ]);
    const known = new InvariantTally();
    known.round(0, [broken], STRICT, control(KEPT));
    expect(known.toControl([broken])).toEqual([]);
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
    return {
      dialect: { ...postgres, connect: async () => connection },
      namespace: 'n',
      urls: ['u'],
      invariants: names.map((name) => ({ name, sql: name })),
    } as unknown as RoundSetup;
  }

  test('of the initial rows is told by its name with what the server says', async () => {
    await expect(expectInvariants(asked('held', 'refused'), 'u')).rejects.toThrow(UsageError);
    await expect(expectInvariants(asked('held', 'refused'), 'u')).rejects.toThrow(
      /the invariant refused is refused by the server: column "id" must appear in GROUP BY/,
    );
    await expect(expectInvariants(asked('held', 'lost'), 'u')).rejects.toThrow(DatabaseError);
  });

  test('after a round leaves the others their answers, and is not counted as holding', async () => {
    const answers = await askInvariants(asked('held', 'refused', 'broken'), 'u');
    expect(await askInvariants({ ...asked(), invariants: [{ name: 'held', sql: 'held', unjudged: NUMBERED }] }, 'u')).toMatchObject([
      { unjudged: NUMBERED },
    ]);
    expect(answers.map(({ name, count, failed }) => [name, count, failed !== undefined])).toEqual([
      ['held', 0, false],
      ['refused', 0, true],
      ['broken', 1, false],
    ]);
    const tally = new InvariantTally();
    expect(noteTexts(tally.round(0, answers, STRICT))).toEqual([
      expect.stringContaining('the invariant refused could not be asked: column "id" must appear in GROUP BY'),
      expect.stringContaining('the invariant broken is broken'),
    ]);
    expect(tally.round(1, answers, STRICT)).toEqual([]);
    expect(tally.report().invariants).toMatchObject([
      { name: 'held', rounds: 2, broken: 0 },
      { name: 'broken', rounds: 2, broken: 2 },
    ]);
  });
});

test('one that is broken beside a transaction committed in part is no bug, until whole ones break it', () => {
  const tally = new InvariantTally();
  expect(noteTexts(tally.round(0, [broken], { ...STRICT, inPart: true }, control(KEPT)))[0]).toMatch(
    /unknown: .*committed without a statement that failed/,
  );
  expect(tally.report().invariants).toMatchObject([{ broken: 1, verdict: 'unknown', first: { round: 0 } }]);
  expect(noteTexts(tally.round(1, [broken], STRICT, control(KEPT)))[0]).toMatch(/bug: the documents rule out every anomaly/);
  expect(tally.report().invariants).toMatchObject([{ broken: 2, verdict: 'bug', first: { round: 1 } }]);
  expect(tally.round(2, [broken], { ...STRICT, inPart: true })).toEqual([]);
  expect(tally.report().invariants).toMatchObject([{ broken: 3, verdict: 'bug', first: { round: 1 } }]);
});

test('one that a correct server may break at any level is no bug, and the note says why', () => {
  const tally = new InvariantTally();
  const unjudged = NUMBERED;
  expect(tally.round(0, [{ ...held, unjudged }], STRICT)).toEqual([]);
  expect(noteTexts(tally.round(1, [{ ...broken, unjudged }], STRICT))).toEqual([
    expect.stringMatching(
      /^the invariant sum is broken: .*; undocumented: a correct server may break it at any level: it relies on jobs\.id, which the server numbers/,
    ),
  ]);
  expect(tally.report().invariants).toMatchObject([{ rounds: 2, broken: 1, ruledOut: false, verdict: 'undocumented' }]);
});

test('a transaction ran in part where one of its statements failed and it was not aborted', () => {
  const history = (statement: number, transaction: number): History =>
    ({ statements: { count: 1, txn: [1], status: [statement] }, transactions: { status: [0, transaction] } }) as unknown as History;
  const { ok, failed } = STATEMENT_STATUS;
  expect(ranInPart(history(failed, TXN_STATUS.committed))).toBe(true);
  expect(ranInPart(history(failed, TXN_STATUS.aborted))).toBe(false);
  expect(ranInPart(history(ok, TXN_STATUS.committed))).toBe(false);
});

test('every anomaly is ruled out at SERIALIZABLE of the DBMSs that ran live, and at no other level', () => {
  for (const dialect of DIALECTS) {
    for (const { level } of dialect.levels)
      expect([dialect.name, level, promiseOfAll(dialect, level, {}) === 'bug']).toEqual([
        dialect.name,
        level,
        dialect.ranLive && level === 'serializable',
      ]);
  }
});

describe('a report with a broken invariant', () => {
  const report = (invariant: InvariantReport): Report => {
    const coverage = {
      rounds: 3,
      transactions: 9,
      statements: 9,
      committed: 9,
      aborted: 0,
      unknown: 0,
      errors: {},
      reads: {},
      conflicts: { 'update-update ww': 1 },
      blocked: 0,
    };
    const level: LevelReport = {
      target: 't',
      level: 'serializable',
      server: 's',
      make: { words: 's', number: '1' },
      configuration: {},
      coverage,
      answers: [{ level: 'serializable', answer: true }],
      classes: {},
      shapes: {},
      names: {},
      invariants: [invariant],
    };
    return {
      tool: 'anomalist',
      runId: 'r',
      seed: '1',
      command: '',
      startedAt: '',
      seconds: 1,
      mode: 'stress',
      instrument: 'exact',
      levels: [level],
      findings: [],
      notes: [],
    };
  };
  const invariant = { name: 'sum', rounds: 3, broken: 2, first: { round: 1, rows: '1 row: (id 1)' }, ruledOut: true };
  const VERDICTS = ['bug', 'yours', 'documented', 'undocumented', 'unknown'] as const;

  test('fails a run only where the verdict is bug, or where any broken one is to; what nobody knows is inconclusive', () => {
    const codes = Object.fromEntries(
      VERDICTS.map((verdict) => [
        verdict,
        (['bug', 'new', 'any'] as const).map((failOn) => exitCode(report({ ...invariant, verdict }), failOn, new Set())),
      ]),
    );
    expect(codes).toEqual({ bug: [1, 1, 1], yours: [0, 0, 1], documented: [0, 0, 1], undocumented: [0, 0, 1], unknown: [3, 3, 1] });
    expect(exitCode(report({ ...invariant, ruledOut: false, verdict: 'unknown' }), 'bug', new Set())).toBe(0);
    expect(exitCode(report({ name: 'sum', rounds: 3, broken: 0, ruledOut: true }), 'any', new Set())).toBe(0);
  });

  test('says so', () => {
    expect(detailsText(report({ ...invariant, verdict: 'bug' }))).toMatch(
      /BUG: the invariant sum is broken at serializable, where[^]*the same transactions keep it when run serially[^]*sum: BROKEN after 2 of 3 rounds \(bug\); first after round 1 \(1 row: \(id 1\)\)/,
    );
    expect(detailsText(report({ ...invariant, verdict: 'documented' }))).toMatch(
      /INCONCLUSIVE: the invariant sum is broken, and no anomaly was seen that explains it[^]*sum: BROKEN after 2 of 3 rounds/,
    );
    expect(detailsText(report({ ...invariant, verdict: 'unknown', why: 'the server is gone' }))).toMatch(
      /INCONCLUSIVE: the invariant sum is broken, and who broke it is not known: the server is gone/,
    );
    expect(detailsText(report({ name: 'sum', rounds: 3, broken: 0, ruledOut: true }))).toMatch(/NOTHING SEEN[^]*sum: held after 3 rounds/);
  });

  test('names the transaction that breaks it by itself, and no bug', () => {
    const text = detailsText(report({ ...invariant, verdict: 'yours', culprit: CULPRIT }));
    expect(text).toMatch(
      /YOURS: your transactions break the invariant sum when run serially: transaction 3 \(go\) does so without concurrency; no anomaly of the server was seen/,
    );
    expect(text).toMatch(/sum: BROKEN after 2 of 3 rounds: your transactions break it when run serially: transaction 3 \(go\)/);
    expect(text).not.toMatch(/BUG/);
  });
});
