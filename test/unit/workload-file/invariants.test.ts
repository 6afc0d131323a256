/** The invariants of a file as they are asked: of the user's columns only. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Dialect } from '../../../core/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';
import { fileWorkload } from '../../../src/workload-file.ts';
import type { Workload } from '../../../src/workload.ts';

const IMPORTING = DIALECTS.filter((dialect) => dialect.importer !== undefined);

const folder = mkdtempSync(join(tmpdir(), 'anomalist-invariants-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function workloadOf(dialect: Dialect, schema: string, invariant: string): Promise<Workload> {
  const path = join(folder, 'file.sql');
  writeFileSync(path, `-- @schema\n${schema}\n-- @transaction t\nSELECT a FROM t;\n-- @invariant i\n${invariant};\n`);
  return fileWorkload(path, { mode: 'stress' }, dialect);
}

const TWO = 'CREATE TABLE t (id integer PRIMARY KEY, a integer); CREATE TABLE u (id integer PRIMARY KEY, b integer);';

describe.each(IMPORTING.map((dialect) => [dialect.title, dialect] as const))('an invariant on %s', (_, dialect) => {
  it.each([
    'SELECT a FROM t NATURAL JOIN u WHERE a <> b',
    'SELECT t.a FROM t NATURAL LEFT JOIN u WHERE u.b IS NULL',
    'SELECT t.a FROM t WHERE t.a > (SELECT count(*) FROM t AS v NATURAL JOIN u)',
  ])('joins by the columns that the tables of the file have: %s', async (sql) => {
    const { invariants } = await workloadOf(dialect, TWO, sql);
    const printed = dialect.print(invariants![0]!.query);
    expect(printed).not.toMatch(/natural/i);
    expect(printed).toMatch(/JOIN .* USING \(["`]id["`]\)/);
  });
});
