/**
 * `npm run bench:read-file`: how long a FILE.sql takes to be read, for schemas that double. Each table has foreign keys to
 * others, and triggers: a schema of N tables has about 1.7 N foreign keys and 1.2 N triggers, as a large application's has.
 * Printed: seconds of processor time, and how many times those of half as many tables.
 *
 *     npm run bench:read-file -- [--tables 100,200,400,800] [--dialect postgres] [--keep FOLDER]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DIALECTS } from '../dialects/index.ts';
import { importWorkload, parseWorkloadFile } from '../schema-gen/index.ts';
import { WORDS, largeSchema } from './large-schema.ts';

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '100,200,400,800' },
    dialect: { type: 'string', multiple: true, default: ['postgres', 'mysql'] },
    keep: { type: 'string' },
  },
});
for (const name of values.dialect) {
  const dialect = DIALECTS.find((each) => each.name === name);
  const words = WORDS[name];
  if (dialect?.importer === undefined || words === undefined)
    throw new Error(`--dialect ${name}: expected one of ${Object.keys(WORDS).join(', ')}`);
  const read = async (tables: number): Promise<number> => {
    const text = largeSchema(tables, words);
    if (values.keep !== undefined) {
      mkdirSync(values.keep, { recursive: true });
      writeFileSync(join(values.keep, `${name}-${tables}.sql`), text);
    }
    const importer = await dialect.importer!(dialect.capabilities);
    const before = process.cpuUsage();
    const parsed = parseWorkloadFile(text);
    const { templates, refused } = importWorkload(parsed.file, importer);
    const { user, system } = process.cpuUsage(before);
    const wrong = [...parsed.refused, ...refused];
    if (wrong.length > 0 || templates.schema.tables.length !== tables)
      throw new Error(`${wrong.length} refused, first: ${JSON.stringify(wrong.slice(0, 3))}`);
    return (user + system) / 1e6;
  };
  await read(10);
  let [lastTables, lastSeconds] = [0, 0];
  for (const tables of values.tables.split(',').map(Number)) {
    const seconds = await read(tables);
    const ratio = lastTables * 2 === tables ? `   x ${(seconds / lastSeconds).toFixed(2)}` : '';
    console.log(`${name.padEnd(10)} ${String(tables).padStart(5)} tables   ${seconds.toFixed(2).padStart(7)} s${ratio}`);
    [lastTables, lastSeconds] = [tables, seconds];
  }
}
