/** Names that a user's schema may not have are those that the tool adds, and no others. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isReserved } from '../../../../dialects/import/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Where statements are made. src/ names prepared statements so, which meet no column. */
const ROOMS = ['core', 'dialects', 'instrument'];

it('has every name in the sources of what makes statements', () => {
  const named = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.endsWith('refuse.ts'))
      .flatMap((file) => [...readFileSync(join(ROOT, room, file), 'utf8').matchAll(/\biso_[a-z]\w*(?:\$\{)?/g)]),
  ).map(([name]) => name);
  expect(named).toContain('iso_rid');
  // Behind some a number is put.
  const names = (name: string): readonly string[] => (name.endsWith('${') ? [name.slice(0, -2), name.replace('${', '1')] : [name]);
  expect([...new Set(named)].filter((name) => !names(name).some(isReserved))).toEqual([]);
});

it.each(['postgres', 'mysql'])('leaves a user of %s columns, tables, aliases and triggers that begin so', async (name) => {
  const dialect = DIALECTS.find((each) => each.name === name)!;
  const importer = await dialect.importer!(dialect.capabilities);
  const table = 'CREATE TABLE iso_countries (iso_code varchar(2) PRIMARY KEY, iso_3166 int NOT NULL, ISO_W_2 int)';
  const { schema, refused } = importer.schema([{ sql: table, line: 1 }]);
  expect(refused).toEqual([]);
  expect(schema.tables[0]!.columns.map((column) => column.name.toLowerCase())).toEqual(['iso_code', 'iso_3166', 'iso_w_2']);
  const read = importer.statement(
    { sql: 'SELECT iso_code AS iso_alpha FROM iso_countries WHERE iso_3166 = 4', line: 2 },
    schema,
    new Map(),
  );
  expect(read).toMatchObject({ kind: 'select', items: [{ alias: 'iso_alpha' }] });
  // An alias of a transaction is the user's to change; the names of a schema are carried over (carried-names.test.ts).
  for (const taken of ['iso_rid', 'iso_w', 'iso_reads', 'iso_c0'])
    expect(importer.statement({ sql: `SELECT iso_code AS ${taken} FROM iso_countries`, line: 1 }, schema, new Map()), taken).toHaveProperty(
      'reason',
    );
});
