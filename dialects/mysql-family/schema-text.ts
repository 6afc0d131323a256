/**
 * A live database as the statements that make its tables, in the server's own words (SHOW CREATE TABLE), within a transaction
 * that may not write: tables before those that refer to them. What is no part of a workload's schema is named.
 */
import type { Connection, SchemaText } from '../../core/index.ts';
import { UsageError } from '../../core/index.ts';
import { inOrderOfReference } from '../schema-order.ts';
import { quoteIdentifier, quoteText } from './quote.ts';

export async function schemaText(connection: Connection, schema: string | undefined, url: string): Promise<SchemaText> {
  await connection.query('START TRANSACTION READ ONLY');
  try {
    return await read(connection, schema ?? databaseOf(url));
  } finally {
    await connection.query('ROLLBACK');
  }
}

/** A connection of ours has chosen none. */
function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

async function read(connection: Connection, name: string): Promise<SchemaText> {
  const rows = async (sql: string): Promise<readonly (readonly string[])[]> =>
    (await connection.query(sql)).rows.map((row) => row.map((value) => value ?? ''));
  if (name === '') throw new UsageError('--url names no database; expected one in it, mysql://user@host/DATABASE, or --schema DATABASE.');
  const here = quoteText(name);
  const [found] = await rows(`SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ${here}`);
  if (found?.[0] === '0') throw new UsageError(`--schema ${name}: the server has no such database; expected one that is there.`);
  const tables = await rows(
    `SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${here} AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME`,
  );
  const references = await rows(
    `SELECT DISTINCT TABLE_NAME, REFERENCED_TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE
     WHERE TABLE_SCHEMA = ${here} AND REFERENCED_TABLE_NAME IS NOT NULL`,
  );
  const { order, circular } = inOrderOfReference(
    tables.map(([table]) => table!),
    references.map(([from, to]) => [from!, to!] as const),
  );
  const statements: string[] = [];
  for (const table of order) {
    const [made] = await rows(`SHOW CREATE TABLE ${quoteIdentifier(name)}.${quoteIdentifier(table)}`);
    statements.push(made![1]!);
  }
  const others = await rows(
    `SELECT CONCAT('the view ', TABLE_NAME) FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${here}
     UNION ALL SELECT CONCAT('the trigger ', TRIGGER_NAME, ' on ', EVENT_OBJECT_TABLE) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ${here}`,
  );
  return {
    name,
    statements,
    leftOut: [...circular.map((table) => `the table ${table} and another one refer to each other`), ...others.map(([what]) => what!)],
  };
}
