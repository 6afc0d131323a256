/**
 * A user's own tables that are called as ours are, have the columns that ours have, those of the instrumentation included,
 * and hold rows: whatever of ours meets them would find all that it looks for.
 */
import { LIST_COLUMN, RID_COLUMN } from '../../core/history/index.ts';
import type { Schema } from '../../core/sql/index.ts';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { SHIPPED_WORKLOADS, fileWorkload } from '../../src/workload/file.ts';
import { WORKLOADS } from '../../src/workload/option.ts';
import { SEED } from './every-command.ts';

/** Shipped files that every-command.ts leaves out. */
const OF_ONE_DBMS: ReadonlySet<string> = new Set(SHIPPED_WORKLOADS.flatMap(({ name, on }) => (on === undefined ? [] : [name])));

/** Everything that the commands of every-command.ts make, in an order that foreign keys allow; of two of one name the first. */
export async function namesakes(dialect: Dialect, ownFile: string): Promise<Schema> {
  const cases: TestCase[] = [];
  for (const workload of WORKLOADS.filter(({ name }) => !OF_ONE_DBMS.has(name))) {
    const options = { mode: 'stress', ...(workload.name === 'relational' ? { sessions: 2 } : {}) } as const;
    cases.push((await workload.make(options, dialect)).caseOf(`${SEED}/0`));
  }
  cases.push((await fileWorkload(ownFile, { mode: 'stress' }, dialect)).caseOf(`${SEED}/0`));
  cases.push(...CANONICAL.map(({ testCase }) => testCase));
  const tables = new Map<string, Schema['tables'][number]>();
  for (const testCase of cases) {
    for (const table of instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities }).schema.tables) {
      // Theirs are nobody's parents and children, so that all kinds can stand side by side.
      if (!tables.has(table.name)) tables.set(table.name, { ...table, foreignKeys: [] });
    }
  }
  return { tables: [...tables.values()] };
}

/** All rows of all of them, with what says that a row was written, locked or moved even if it looks the same. */
export async function snapshot(connection: Connection, { tables }: Schema): Promise<string> {
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await connection.query(
      `SELECT md5(string_agg(ctid::text || xmin::text || xmax::text || t::text, ';' ORDER BY ctid)), count(*)::text, count(${RID_COLUMN})::text, count(${LIST_COLUMN})::text FROM public."${name}" AS t`,
    );
    parts.push(`${name} ${rows[0]!.join(' ')}`);
  }
  const { rows: all } = await connection.query(
    "SELECT string_agg(table_schema || '.' || table_name, ' ' ORDER BY table_schema, table_name) FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
  );
  const { rows: schemas } = await connection.query(
    "SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg\\_t%'",
  );
  return [...parts, all[0]![0], schemas[0]![0]].join('\n');
}
