/**
 * `anomalist import` on real servers: the schema of each application that is shipped for the DBMS is made there as its file has
 * it, read back from the catalogs, and means the same: tables, types, keys, indexes. Nothing is written to it.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Schema } from '../../core/sql/index.ts';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import { importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { shippedFor } from '../../src/workload/file.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** What older releases lack: PostgreSQL before 13, MariaDB before 11.4. */
const LACKED = /gen_random_uuid\(\) does not exist|Unknown collation/;
const SOME_TRANSACTION = '\n-- @transaction none\nSAVEPOINT none;\n';

async function schemaOf(text: string, dialect: Dialect): Promise<{ readonly schema: Schema; readonly refused: readonly unknown[] }> {
  const { file, refused } = parseWorkloadFile(text);
  const imported = importWorkload(file, await dialect.importer!(dialect.capabilities));
  return { schema: imported.templates.schema, refused: [...refused, ...imported.refused] };
}

/** What a server keeps of a schema; expressions come back in its own words. */
function essence({ tables }: Schema): unknown {
  return [...tables]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, columns, primaryKey, uniques, checks, foreignKeys, indexes }) => ({
      name,
      columns: columns.map((each) => [
        each.name,
        each.type,
        each.nullable,
        each.default ?? null,
        each.drawn,
        each.drawnOnUpdate,
        each.generated?.kind,
      ]),
      primaryKey,
      uniques: [...uniques].sort(byText),
      checks: checks.length,
      foreignKeys: foreignKeys
        .map(({ columns: own, table, references, onDelete, onUpdate }) => ({ own, table, references, onDelete, onUpdate }))
        .sort(byText),
      indexes: indexes.map((each) => ({ columns: columnsOf(each), shape: each.shape?.kind, unique: each.unique })).sort(byText),
    }));
}

/** Of an expression those that it names, in whatever order. */
function columnsOf({ columns, shape }: Schema['tables'][number]['indexes'][number]): readonly string[] {
  return shape?.kind === 'expression' ? columns.toSorted() : columns;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

describeEachServer(
  'import of a live schema',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const files = shippedFor(dialect).filter(({ on }) => on !== undefined);

    async function withConnection<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        return await use(connection);
      } finally {
        await connection.end();
      }
    }

    it.for(files.map(({ name }) => name))('%s comes back as it was made', async (name, { skip }) => {
      const text = readFileSync(fileURLToPath(new URL(`../../workloads/${name}.sql`, import.meta.url)), 'utf8');
      const namespace = `theirs_${name}`;
      const lacked = await withConnection(async (connection) => {
        await connection.query(`CREATE SCHEMA ${namespace}`);
        await connection.query(dialect.enterNamespace(namespace));
        const made = parseWorkloadFile(text).file.schema.filter(({ sql }) => /^create/i.test(sql));
        try {
          for (const { sql } of made) await connection.query(sql);
        } catch (error) {
          if (error instanceof Error && LACKED.test(error.message)) return error.message;
          throw error;
        }
        return undefined;
      });
      skip(lacked !== undefined, `its release lacks what the file has: ${lacked}`);
      const { code, stdout, stderr } = await cli(['import', '--url', suite.server.url, '--schema', namespace]);
      expect(code, stderr).toBe(0);
      expect(stderr).not.toContain('is refused');
      const [written, read] = [await schemaOf(text, dialect), await schemaOf(`${stdout}${SOME_TRANSACTION}`, dialect)];
      expect(read.refused, stdout).toEqual([]);
      expect(essence(read.schema), stdout).toEqual(essence(written.schema));
      // Once more: nothing was added to what is there.
      expect((await cli(['import', '--url', suite.server.url, '--schema', namespace])).stdout).toBe(stdout);
    });

    it('what a workload has not is left out by its name, and a schema that is not there is an error', async () => {
      const missing = await cli(['import', '--url', suite.server.url, '--schema', 'not_there']);
      expect(missing.code).toBe(2);
      expect(missing.stderr).toMatch(/--schema not_there: the (database|server) has no such (schema|database)/);
      expect(missing.stdout).toBe('');
    });
  },
  { fits: (dialect) => dialect.schemaText !== undefined },
);
