import { expect, it } from 'vitest';
import type { Fixture } from '../../../core/program/index.ts';
import { FixtureTables } from '../../../src/explore/fixture-tables.ts';
import { schemaOf } from '../../sql.ts';

const fixture = (...tables: readonly string[]): Fixture => ({
  ...schemaOf(tables.map((name) => `CREATE TABLE ${name} (k int PRIMARY KEY)`).join('; ')),
  name: tables.join(),
  byIndex: false,
});

const missingOf = (all: FixtureTables, of: Fixture): readonly string[] | undefined => all.missing(of)?.tables.map(({ name }) => name);

it('makes the tables of a fixture once, and those of others not before their own turn', () => {
  const [one, two] = [fixture('a', 'b'), fixture('c')];
  const tables = new FixtureTables([one, two]);
  expect(missingOf(tables, one)).toEqual(['a', 'b']);
  tables.isMade(one);
  expect(missingOf(tables, one)).toBeUndefined();
  expect(missingOf(tables, two)).toEqual(['c']);
});

it('makes fixtures together that share a table, also through a third one', () => {
  const [one, two, three] = [fixture('a'), fixture('b'), fixture('a', 'b')];
  const tables = new FixtureTables([one, two, three]);
  for (const each of [one, two, three]) expect(missingOf(tables, each)).toEqual(['a', 'b']);
  tables.isMade(two);
  for (const each of [one, two, three]) expect(missingOf(tables, each)).toBeUndefined();
});

it('knows a fixture by its tables, whatever its first rows are', () => {
  const one = fixture('a');
  const tables = new FixtureTables([one]);
  expect(missingOf(tables, { ...one, name: 'the same', first: { a: [['1']] } })).toEqual(['a']);
});

it('makes views with their tables', () => {
  const viewed: Fixture = {
    ...schemaOf('CREATE TABLE a (k int PRIMARY KEY); CREATE VIEW v AS SELECT k FROM a'),
    name: 'viewed',
    byIndex: false,
  };
  expect(new FixtureTables([viewed]).missing(viewed)?.views?.map(({ name }) => name)).toEqual(['v']);
});
