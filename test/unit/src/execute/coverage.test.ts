import { expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { HistoryEvent, RoundEvent, SentKind } from '../../../../core/history/index.ts';
import { addCoverage, coverageOf, NO_COVERAGE, testedNothing } from '../../../../src/execute/index.ts';

const ROUND: RoundEvent = {
  e: 'round',
  round: 0,
  seed: 's',
  dialect: 'postgres',
  server: 'x',
  level: 'read-committed',
  mode: 'schedule',
  instrument: 'exact',
  sessions: 2,
  endpoints: [],
  tables: ['t'],
  configuration: {},
};

/** One event per word list: `1 begin`, `1 select r0`, `1 update r0 ,0.0,1.1`, `1 commit`; transaction t is on session t - 1. */
function history(lines: readonly string[], round: RoundEvent = ROUND): ReturnType<HistoryBuilder['finish']> {
  const builder = new HistoryBuilder(round);
  const sent = new Map<number, number>();
  let at = 0;
  for (const line of lines) {
    const [id, kind, row, list = ',0.0'] = line.split(' ');
    const t = Number(id);
    const n = sent.get(t) ?? 0;
    sent.set(t, n + 1);
    const write = kind === 'update';
    const triples = row === undefined ? {} : { [write ? 'w' : 'r']: ['t', `r0.0_${row.slice(1)}`, list] };
    const where = { s: t - 1, t, n };
    const events: HistoryEvent[] = [
      {
        e: 'invoke',
        ...where,
        k: kind as SentKind,
        at: ++at,
        sql: '',
        ...(row !== undefined && { reads: 'exact' }),
        ...(write && { seq: 1 }),
      },
      { e: 'ok', ...where, at: ++at, ...triples },
    ];
    for (const event of events) builder.add(event);
  }
  return builder.finish();
}

test('counts transactions, outcomes, statements and tags', () => {
  const got = coverageOf(history(['1 begin', '1 select r0', '1 commit', '2 begin', '2 rollback']));

  expect(got).toMatchObject({
    rounds: 1,
    transactions: 2,
    statements: 5,
    committed: 1,
    aborted: 1,
    unknown: 0,
    reads: { exact: 1 },
    blocked: 0,
  });
});

test('a lost update is a read then a write, and two writes, of one row', () => {
  const got = coverageOf(
    history([
      '1 begin',
      '2 begin',
      '1 select r0',
      '2 select r0',
      '1 update r0 ,0.0,1.1',
      '1 commit',
      '2 update r0 ,0.0,1.1,2.1',
      '2 commit',
    ]),
  );

  expect(got.conflicts).toEqual({ 'select-update rw': 2, 'update-update ww': 1 });
});

test('transactions one after the other, or on different rows, have tested nothing', () => {
  const serial = coverageOf(history(['1 begin', '1 update r0 ,0.0,1.1', '1 commit', '2 begin', '2 select r0 ,0.0,1.1', '2 commit']));
  const apart = coverageOf(history(['1 begin', '2 begin', '1 update r0 ,0.0,1.1', '2 select r1', '1 commit', '2 commit']));

  expect(testedNothing(serial)).toBe(true);
  expect(testedNothing(apart)).toBe(true);
});

test('an aborted transaction conflicts with nobody', () => {
  const got = coverageOf(history(['1 begin', '2 begin', '1 update r0 ,0.0,1.1', '2 select r0', '1 rollback', '2 commit']));

  expect(testedNothing(got)).toBe(true);
});

test('a session that overlaps with a short transaction it outlives is still compared with it', () => {
  const got = coverageOf(
    history(['1 begin', '1 select r0', '2 begin', '2 update r0 ,0.0,2.1', '2 commit', '1 select r0 ,0.0', '1 commit']),
  );

  expect(got.conflicts).toEqual({ 'select-update rw': 1 });
});

test('paper mode reads the writers off later lists', () => {
  const lines = ['1 begin', '2 begin', '1 update', '1 commit', '2 select r0 ,0.0,1.1', '2 commit'];
  const got = coverageOf(history(lines, { ...ROUND, instrument: 'paper' }));

  expect(got.conflicts).toEqual({ 'update-select wr': 1 });
});

test('the final read is the tool’s own and counts for nothing', () => {
  const got = coverageOf(history(['1 begin', '1 update r0 ,0.0,1.1', '3 begin', '3 final r0', '3 commit', '1 commit']));

  expect(got).toMatchObject({ transactions: 1, statements: 3, conflicts: {} });
});

test('coverages add up', () => {
  const one = coverageOf(history(['1 begin', '2 begin', '1 update r0 ,0.0,1.1', '2 select r0', '1 commit', '2 commit']));
  const two = addCoverage(addCoverage(NO_COVERAGE, one), one);

  expect(two).toMatchObject({ rounds: 2, transactions: 4, conflicts: { 'update-select wr': 2 } });
});
