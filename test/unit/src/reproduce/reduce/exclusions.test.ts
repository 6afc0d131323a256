/** Exclusion constraints in a case that is made smaller: they go, and no column goes that one of them names and keeps. */
import { expect, it } from 'vitest';
import type { TestCase } from '../../../../../core/program/index.ts';
import { withoutColumns, withoutConstraints } from '../../../../../src/reproduce/reduce/simpler-schema.ts';
import { schemaOf } from '../../../../sql.ts';

const SCHEMA = schemaOf(`CREATE TABLE t (
  k int PRIMARY KEY, room int, a int, b int, gone int,
  CONSTRAINT room EXCLUDE USING gist (room WITH =, int4range(a, b) WITH &&) WHERE (gone IS NULL),
  CONSTRAINT any_room EXCLUDE USING gist (int4range(a, b) WITH &&))`);
const CASE: TestCase = { seed: '1', schema: SCHEMA, sessions: [] };

const left = (cases: Iterable<TestCase>): readonly (readonly string[])[] =>
  [...cases].map(({ schema }) => (schema.tables[0]!.exclusions ?? []).map(({ name }) => name));

it('go all at once, then one by one', () => {
  expect(left(withoutConstraints(CASE))).toEqual([[], ['any_room'], ['room']]);
});

it('go with a column that they name, the condition included', () => {
  const cases = [...withoutColumns(CASE)];
  expect(cases.map(({ schema }) => schema.tables[0]!.columns.map(({ name }) => name).join(''))).toEqual([
    'kabgone',
    'kroombgone',
    'kroomagone',
    'kroomab',
  ]);
  expect(left(cases)).toEqual([['any_room'], [], [], ['any_room']]);
});
