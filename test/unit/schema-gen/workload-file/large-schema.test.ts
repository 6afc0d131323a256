/** A schema of hundreds of tables is read in the order of its references, however they stand in the file. */
import { expect, it } from 'vitest';
import { WORDS, largeSchema } from '../../../../bench/large-schema.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../../schema-gen/index.ts';

// With a search of the whole schema for each statement this took more than a quarter of an hour.
it.each(Object.keys(WORDS))('400 tables with as many triggers and 680 foreign keys are read, in the words of %s', async (name) => {
  const dialect = DIALECTS.find((each) => each.name === name)!;
  const parsed = parseWorkloadFile(largeSchema(400, WORDS[name]!));
  const { templates, refused } = importWorkload(parsed.file, await dialect.importer!(dialect.capabilities));
  expect([...parsed.refused, ...refused]).toEqual([]);
  const { tables, routines = [] } = templates.schema;
  const place = new Map(tables.map((table, at) => [table.name, at]));
  const keys = tables.flatMap((table) => table.foreignKeys.map((key) => [place.get(key.table)!, place.get(table.name)!] as const));
  expect([tables.length, keys.length, routines.filter(({ kind }) => kind === 'trigger').length]).toEqual([400, 677, 480]);
  expect(keys.filter(([parent, child]) => parent >= child)).toEqual([]);
});
