// What a run that no serial order explains is called: by what serial orders say of snapshots and of errors.
import { describe, expect, it } from 'vitest';
import { kindOf } from '../../../../../src/replay/spec/judge-spec.ts';
import type { SerialRun } from '../../../../../src/replay/spec/spec-serial.ts';
import { transactionsOfRun } from '../../../../../src/replay/spec/spec-transactions.ts';
import type { SpecTransaction } from '../../../../../src/replay/spec/spec-transactions.ts';
import { scriptedRun } from './scripted-run.ts';

const PLAIN = { setup: ['CREATE TABLE t (k int PRIMARY KEY)'], sessions: [] };
const KEYS = { setup: ['CREATE TABLE t (k int REFERENCES p)'], sessions: [] };
const read = (value: string) => ({ rows: [[value]], affected: 1 });
const TAKEN = { rows: [], affected: 0, error: { class: 'constraint', code: '23505', message: 'taken' } } as const;
/** MySQL's family: the error took no transaction along. */
const run = scriptedRun(
  [
    { session: 0, sql: 'INSERT 1', status: 'inside', reply: TAKEN },
    { session: 0, sql: 'COMMIT', status: 'outside' },
    { session: 1, sql: 'SELECT 1', status: 'outside', reply: read('1') },
  ],
  ['inside', undefined],
);
const transactions = transactionsOfRun(run) as readonly SpecTransaction[];
const [one, two] = transactions as [SpecTransaction, SpecTransaction];
const NOTHING = { rows: [], affected: 0 };
/** The INSERT is answered so in both orders; the SELECT so behind it and before it. */
const serial = (
  first: typeof TAKEN | typeof NOTHING,
  second: typeof TAKEN | typeof NOTHING,
  looks: readonly [string, string],
): readonly SerialRun[] => [
  { order: [one, two], replies: [[first, NOTHING], [read(looks[0])]], tables: {} },
  { order: [two, one], replies: [[read(looks[1])], [second, NOTHING]], tables: {} },
];

describe('a run that no serial order explains', () => {
  it('has an error as a part of it only if some order does without', () => {
    expect(kindOf({ transactions, serial: serial(TAKEN, TAKEN, ['1', '1']) }, PLAIN)).toEqual({ kind: 'unsettled, rows alike', codes: [] });
    expect(kindOf({ transactions, serial: serial(TAKEN, NOTHING, ['1', '1']) }, PLAIN)).toMatchObject({ codes: ['23505'] });
    expect(kindOf({ transactions, serial: serial(NOTHING, NOTHING, ['1', '1']) }, PLAIN)).toEqual({ kind: 'an error', codes: ['23505'] });
  });

  it('is beyond snapshots only where these were asked and none explains it', () => {
    expect(kindOf({ transactions, serial: serial(TAKEN, TAKEN, ['2', '2']) }, PLAIN)).toEqual({ kind: 'no snapshot', codes: [] });
    expect(kindOf({ transactions, serial: serial(TAKEN, TAKEN, ['2', '2']) }, KEYS)).toEqual({ kind: 'unsettled, rows alike', codes: [] });
  });

  it('is made no milder by an error that serial orders alone raise', () => {
    const [, reader] = transactions;
    const succeeded = scriptedRun(
      [
        { session: 0, sql: 'INSERT 1', status: 'outside', reply: { affected: 1 } },
        { session: 1, sql: 'SELECT 1', status: 'outside', reply: read('1') },
      ],
      [undefined, undefined],
    );
    const own = transactionsOfRun(succeeded) as readonly [SpecTransaction, SpecTransaction];
    const orders: readonly SerialRun[] = [
      { order: own, replies: [[TAKEN], [read('1')]], tables: {} },
      { order: own.toReversed(), replies: [[read('1')], [TAKEN]], tables: {} },
    ];
    expect(reader!.session).toBe(1);
    expect(kindOf({ transactions: own, serial: orders }, PLAIN)).toEqual({ kind: 'no snapshot', codes: [] });
  });
});
