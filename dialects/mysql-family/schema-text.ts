/**
 * A live database as the statements that make its tables, in the server's own words (SHOW CREATE TABLE), within a transaction
 * that may not write: tables before those that refer to them. What is no part of a workload's schema is named.
 */
import type { Connection, SchemaText } from '../../core/index.ts';
import { UsageError } from '../../core/index.ts';
import { inOrderOfReference } from '../schema-order.ts';
import { Faults } from '../import/index.ts';
import { withoutOwners } from './import/dump-words.ts';
import { quoteIdentifier, quoteText } from './quote.ts';

type Rows = (sql: string) => Promise<readonly (readonly string[])[]>;

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
  const rows: Rows = async (sql) => (await connection.query(sql)).rows.map((row) => row.map((value) => value ?? ''));
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
     UNION ALL SELECT CONCAT('the procedure ', ROUTINE_NAME) FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${here} AND ROUTINE_TYPE = 'PROCEDURE'
     UNION ALL SELECT CONCAT('the event ', EVENT_NAME) FROM information_schema.EVENTS WHERE EVENT_SCHEMA = ${here}`,
  );
  const { routines, untold } = await routinesOf(rows, name);
  return {
    name,
    statements,
    ...(routines.length > 0 && { routines }),
    leftOut: [
      ...untold,
      ...circular.map((table) => `the table ${table} and another one refer to each other`),
      ...others.map(([what]) => what!),
    ],
  };
}

/** Triggers of one table, timing and event in the order in which they run; FOLLOWS and PRECEDES say no more than that. */
async function routinesOf(
  rows: Rows,
  database: string,
): Promise<{ readonly routines: readonly string[]; readonly untold: readonly string[] }> {
  const here = quoteText(database);
  const named = await rows(
    `SELECT 'FUNCTION', ROUTINE_NAME, 0 AS place FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${here} AND ROUTINE_TYPE = 'FUNCTION'
     UNION ALL SELECT 'TRIGGER', TRIGGER_NAME, ACTION_ORDER FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ${here}
     ORDER BY 1, 3, 2`,
  );
  const [routines, untold]: [string[], string[]] = [[], []];
  for (const [kind, name] of named) {
    const [made] = await rows(`SHOW CREATE ${kind!} ${quoteIdentifier(database)}.${quoteIdentifier(name!)}`);
    // Of what its user may not see the text is NULL.
    const text = withoutOwners(made?.[2] ?? '', new Faults());
    if (text === '') untold.push(`the ${kind!.toLowerCase()} ${name!}, whose text its user is not shown`);
    else routines.push(asWritten(text, database));
  }
  return { routines, untold };
}

const NAME = /(?:`(?:[^`]|``)*`|[\w$]+)/.source;

/** Without the database before the names in its head, where whoever made it wrote it there. */
function asWritten(sql: string, database: string): string {
  const own = `(?:${escaped(quoteIdentifier(database))}|${escaped(database)})\\s*\\.\\s*`;
  return sql
    .replace(/^\s*CREATE\s+/i, 'CREATE ')
    .replace(new RegExp(`^(CREATE (?:TRIGGER|FUNCTION)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?)${own}`, 'i'), '$1')
    .replace(new RegExp(`^(CREATE TRIGGER\\s+${NAME}\\s+\\w+\\s+\\w+\\s+ON\\s+)${own}`, 'i'), '$1')
    .replace(new RegExp(`(FOR\\s+EACH\\s+ROW)\\s+(?:FOLLOWS|PRECEDES)\\s+${NAME}`, 'i'), '$1')
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
