/** What an INSERT states of the rows that it makes, and where nothing is said. */
import { expect, test } from 'vitest';
import type { ColumnType, Expression, Insert, Table } from '../../../core/sql/index.ts';
import { mysql } from '../../../dialects/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { literal, tableOf } from '../../sql.ts';

function table(type: ColumnType, rest: Partial<Table['columns'][number]> = {}): Table {
  const keyed = tableOf('CREATE TABLE t (k int PRIMARY KEY)');
  return { ...keyed, columns: [...keyed.columns, { name: 'c', type, nullable: true, ...rest }] };
}

function stated(of: Table, values: readonly Expression[], columns = ['k', 'c'], rest: Partial<Insert> = {}): unknown {
  const statement: Insert = { kind: 'insert', table: 't', columns, rows: [values], ...rest };
  const testCase = {
    seed: 's',
    schema: { tables: [of] },
    sessions: [{ transactions: [{ id: 1, statements: [statement], end: 'commit', autocommit: false }] }],
  } as const;
  const { capabilities } = mysql;
  return instrument(testCase, { mode: 'exact', capabilities, images: true }).sessions[0]!.transactions[0]!.statements[0]!.probe.captured
    ?.inserted?.images?.[0];
}

const one = literal(1);

test.each([
  ['a number', { kind: 'integer' }, literal(-5), '-5'],
  ['a truth', { kind: 'boolean' }, literal(true), '1'],
  ['a text', { kind: 'text' }, literal("it's"), "it's"],
  ['a decimal with fewer digits than its column', { kind: 'decimal', precision: 8, scale: 2 }, literal('1.5', 'decimal'), '1.50'],
  ['a day', { kind: 'date' }, literal('2024-02-29', 'date'), '2024-02-29'],
  ['NULL', { kind: 'integer' }, literal(null, 'integer'), null],
] as const)('%s is stated', (_name, type, value, text) => {
  expect(stated(table(type), [one, value])).toEqual(['1', text]);
});

test('a column that is not named has its default, or NULL', () => {
  expect(stated(table({ kind: 'integer' }, { default: 7 }), [one], ['k'])).toEqual(['1', '7']);
  expect(stated(table({ kind: 'integer' }), [one, { kind: 'default' }])).toEqual(['1', null]);
});

test('columns are stated in the order of the table', () => {
  expect(stated(table({ kind: 'integer' }), [literal(9), one], ['c', 'k'])).toEqual(['1', '9']);
});

test.each([
  ['an expression', { kind: 'integer' }, { kind: 'arithmetic', op: '+', left: one, right: one }],
  ['a literal of another type', { kind: 'decimal', precision: 8, scale: 2 }, literal(1)],
  ['a decimal that the column rounds', { kind: 'decimal', precision: 8, scale: 2 }, literal('1.555', 'decimal')],
  ['a negative zero', { kind: 'decimal', precision: 8, scale: 2 }, literal('-0.0', 'decimal')],
  ['a text beyond ASCII', { kind: 'text' }, literal('Straße')],
] as const)('nothing is stated by %s', (_name, type, value) => {
  expect(stated(table(type), [one, value])).toBeUndefined();
});

test('nothing is stated by a number that the server gives, nor by INSERT IGNORE', () => {
  expect(stated(table({ kind: 'integer' }, { identity: true }), [one], ['k'])).toBeUndefined();
  expect(
    stated(table({ kind: 'integer' }), [one, one], undefined, {
      conflict: { action: 'nothing', target: [] } as unknown as NonNullable<Insert['conflict']>,
    }),
  ).toBeUndefined();
});
