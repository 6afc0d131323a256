/** What an upsert that put in nothing has met, and which versions hold a key: nothing is taken for certain that a server may see otherwise. */
import { describe, expect, test } from 'vitest';
import type { Expression, Insert, Table, Value } from '../../../../core/sql/index.ts';
import { eitherMatches, keyMatches } from '../../../../src/evaluate/key-matches.ts';
import { proposedKeys } from '../../../../src/evaluate/proposed-keys.ts';
import { literal, tableOf } from '../../../sql.ts';

const TABLE = tableOf('CREATE TABLE t (k int PRIMARY KEY, u varchar(3) UNIQUE, d numeric(5, 2) UNIQUE DEFAULT 1.50)');
const nothing = (columns: readonly string[], ...row: readonly Expression[]): Insert => ({
  kind: 'insert',
  table: 't',
  columns: ['k', 'u', 'd'].slice(0, row.length),
  rows: [row],
  conflict: { action: 'nothing', columns },
});
const tuples = (insert: Insert, ignores = false, table = TABLE): unknown =>
  proposedKeys(insert, table, ignores)?.map((keys) => keys.map(({ columns, tuple }) => `${columns.join()}=${tuple.join()}`));

describe('what it proposed', () => {
  const [one, abc] = [literal(1), literal('abc')];

  test('by the key that it names, by all if it names none or passes over any', () => {
    expect(tuples(nothing(['k'], one, abc))).toEqual([['k=1']]);
    expect(tuples(nothing([], one, abc))).toEqual([['k=1', 'u=abc', 'd=1.50']]);
    expect(tuples(nothing(['k'], one, abc), true)).toEqual([['k=1', 'u=abc', 'd=1.50']]);
  });

  test('a NULL meets nothing where it may stand, and is something else where it may not', () => {
    expect(tuples(nothing([], one, literal(null, 'text'), literal(null, 'decimal')))).toEqual([['k=1']]);
    expect(tuples(nothing([], literal(null, 'integer'), abc))).toBeUndefined();
  });

  test('not what the column would cut, round, or read as another kind, nor what is computed', () => {
    expect(tuples(nothing(['u'], one, literal('abcd')))).toBeUndefined();
    expect(tuples(nothing(['d'], one, abc, literal('1.005', 'decimal')))).toBeUndefined();
    expect(tuples(nothing(['k'], literal('1', 'bigint')))).toBeUndefined();
    expect(tuples(nothing(['k'], { kind: 'arithmetic', op: '+', left: one, right: one }))).toBeUndefined();
  });

  test('INSERT IGNORE drops rows for other reasons than a key', () => {
    const key = { name: 'f', columns: ['k'], table: 't', references: ['k'], onDelete: 'no action', onUpdate: 'no action' } as const;
    const child: Table = { ...TABLE, foreignKeys: [key] };
    expect(tuples(nothing(['k'], one, abc), false, child)).toEqual([['k=1']]);
    expect(tuples(nothing(['k'], one, abc), true, child)).toBeUndefined();
    expect(tuples(nothing(['k'], one, abc), true, { ...TABLE, checks: [{ name: 'c', expression: literal(true) }] })).toBeUndefined();
  });
});

describe('which versions hold a key', () => {
  const matches = (column: string, value: Value, held: readonly (readonly Value[])[], changed = false): string | undefined =>
    keyMatches(
      {
        images: new Map([['t', held.map((values, row) => ({ row, txn: 0, seq: 0, values }))]]),
        lacking: new Set(),
        untracked: new Map([['t', new Set(changed ? [column] : [])]]),
        changes: () => changed,
      },
      TABLE,
      [column],
      [value],
    );

  test('a text of letters and digits by itself, and perhaps where case or other characters make the difference', () => {
    const held = ['abc', 'ABC', 'abd', 'ab-', null].map((u) => [1, u, null]);
    expect(matches('u', 'abc', held)).toBe('1?0?0');
    expect(matches('u', 'ab-', held)).toBe('???10');
  });

  test('a number however many digits it is written with', () => {
    expect(
      matches('d', '1.5', [
        [1, null, '1.50'],
        [2, null, '1.51'],
        [3, null, null],
      ]),
    ).toBe('100');
  });

  test("open where a foreign key's action may have changed the column", () => {
    expect(
      matches(
        'k',
        1,
        [
          [1, null, null],
          [2, null, null],
        ],
        true,
      ),
    ).toBe('??');
  });

  test('of several keys whichever is held', () => {
    expect(eitherMatches(['10?0', '0?00'])).toBe('1??0');
  });
});
