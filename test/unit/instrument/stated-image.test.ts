/** What an INSERT states of the rows that it makes, and where nothing is said. */
import { expect, test } from 'vitest';
import type { ColumnType, Expression, Insert, Table, Value } from '../../../core/sql/index.ts';
import { mysql } from '../../../dialects/index.ts';
import { instrument } from '../../../instrument/index.ts';

const literal = (type: ColumnType['kind'], value: Value): Expression => ({ kind: 'literal', type, value });

function table(type: ColumnType, rest: Partial<Table['columns'][number]> = {}): Table {
  const k = { name: 'k', type: { kind: 'integer' }, nullable: false } as const;
  return {
    name: 't',
    columns: [k, { name: 'c', type, nullable: true, ...rest }],
    primaryKey: ['k'],
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows: [],
  };
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

const one = literal('integer', 1);

test.each([
  ['a number', { kind: 'integer' }, literal('integer', -5), '-5'],
  ['a truth', { kind: 'boolean' }, literal('boolean', true), '1'],
  ['a text', { kind: 'text' }, literal('text', "it's"), "it's"],
  ['a decimal with fewer digits than its column', { kind: 'decimal', precision: 8, scale: 2 }, literal('decimal', '1.5'), '1.50'],
  ['a day', { kind: 'date' }, literal('date', '2024-02-29'), '2024-02-29'],
  ['NULL', { kind: 'integer' }, literal('integer', null), null],
] as const)('%s is stated', (_name, type, value, text) => {
  expect(stated(table(type), [one, value])).toEqual(['1', text]);
});

test('a column that is not named has its default, or NULL', () => {
  expect(stated(table({ kind: 'integer' }, { default: 7 }), [one], ['k'])).toEqual(['1', '7']);
  expect(stated(table({ kind: 'integer' }), [one, { kind: 'default' }])).toEqual(['1', null]);
});

test('columns are stated in the order of the table', () => {
  expect(stated(table({ kind: 'integer' }), [literal('integer', 9), one], ['c', 'k'])).toEqual(['1', '9']);
});

test.each([
  ['an expression', { kind: 'integer' }, { kind: 'arithmetic', op: '+', left: one, right: one }],
  ['a literal of another type', { kind: 'decimal', precision: 8, scale: 2 }, literal('integer', 1)],
  ['a decimal that the column rounds', { kind: 'decimal', precision: 8, scale: 2 }, literal('decimal', '1.555')],
  ['a negative zero', { kind: 'decimal', precision: 8, scale: 2 }, literal('decimal', '-0.0')],
  ['a text beyond ASCII', { kind: 'text' }, literal('text', 'Straße')],
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
