/** Exclusion constraints in a case that is made smaller: they go, and no column goes that one of them names and keeps. */
import { expect, it } from 'vitest';
import type { Exclusion, Expression, Table } from '../../../../../core/sql/index.ts';
import type { TestCase } from '../../../../../core/program/index.ts';
import { withoutColumns, withoutConstraints } from '../../../../../src/reproduce/reduce/simpler-schema.ts';

const of = (column: string): Expression => ({ kind: 'column', table: 't', column });
const ROOM: Exclusion = {
  name: 'room',
  parts: [
    { meets: 'equal', column: 'room' },
    { meets: 'overlapping', range: { of: 'integer', bounds: '[)', lower: of('a'), upper: of('b') } },
  ],
  where: { kind: 'isNull', operand: of('gone'), negated: false },
};
const ANY: Exclusion = { name: 'any', parts: [ROOM.parts[1]!] };
const TABLE: Table = {
  name: 't',
  columns: ['k', 'room', 'a', 'b', 'gone'].map((name) => ({ name, type: { kind: 'integer' }, nullable: true })),
  primaryKey: ['k'],
  uniques: [],
  checks: [],
  exclusions: [ROOM, ANY],
  foreignKeys: [],
  indexes: [],
  rows: [],
};
const CASE: TestCase = { seed: '1', schema: { tables: [TABLE] }, sessions: [] };

const left = (cases: Iterable<TestCase>): readonly (readonly string[])[] =>
  [...cases].map(({ schema }) => (schema.tables[0]!.exclusions ?? []).map(({ name }) => name));

it('go all at once, then one by one', () => {
  expect(left(withoutConstraints(CASE))).toEqual([[], ['any'], ['room']]);
});

it('go with a column that they name, the condition included', () => {
  const cases = [...withoutColumns(CASE)];
  expect(cases.map(({ schema }) => schema.tables[0]!.columns.map(({ name }) => name).join(''))).toEqual([
    'kabgone',
    'kroombgone',
    'kroomagone',
    'kroomab',
  ]);
  expect(left(cases)).toEqual([['any'], [], [], ['any']]);
});
