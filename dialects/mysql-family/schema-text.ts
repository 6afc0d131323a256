/**
 * A live database as the statements that create its tables, in the server's own words (SHOW CREATE TABLE). They are
 * read in a read-only transaction. Tables precede those that refer to them, and views follow all tables. Objects that a
 * workload's schema cannot have are listed.
 */
import type { Connection, SchemaText } from '../../core/dialect/index.ts';
import { UsageError, escapeRegExp } from '../../core/base/index.ts';
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

/** Our connections have no current database, so the URL names it. */
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
    `SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${here} AND TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY TABLE_NAME`,
  );
  const references = await rows(
    `SELECT DISTINCT TABLE_NAME, REFERENCED_TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE
     WHERE TABLE_SCHEMA = ${here} AND REFERENCED_TABLE_NAME IS NOT NULL`,
  );
  const order = inOrderOfReference(
    tables.map(([table]) => table!),
    references.map(([from, to]) => [from!, to!] as const),
  );
  const made: TableText[] = [];
  for (const table of order) {
    const [row] = await rows(`SHOW CREATE TABLE ${quoteIdentifier(name)}.${quoteIdentifier(table)}`);
    made.push(withoutPartitions(plainWords(row![1]!)));
  }
  const parted = order.filter((_, i) => made[i]!.partitioned);
  const others = await rows(
    `SELECT CONCAT('the procedure ', ROUTINE_NAME, ': write its statements into the transactions that call it')
     FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${here} AND ROUTINE_TYPE = 'PROCEDURE'
     UNION ALL SELECT CONCAT('the event ', EVENT_NAME, ': write what it does as a transaction') FROM information_schema.EVENTS WHERE EVENT_SCHEMA = ${here}
     UNION ALL SELECT CONCAT('the sequence ', TABLE_NAME, ': make a column AUTO_INCREMENT, or draw the number as a parameter')
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${here} AND TABLE_TYPE = 'SEQUENCE'
     UNION ALL SELECT CONCAT('WITH SYSTEM VERSIONING of ', TABLE_NAME, ': no statement here reads rows as they were')
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${here} AND TABLE_TYPE = 'SYSTEM VERSIONED'
     UNION ALL SELECT CONCAT('WITH CHECK OPTION of the view ', TABLE_NAME, ': rows that it does not show may be written through it here')
     FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${here} AND CHECK_OPTION <> 'NONE'
     ORDER BY 1`,
  );
  const { routines, hidden } = await routinesOf(rows, name);
  return {
    name,
    database: name,
    statements: [...made.map(({ sql }) => sql), ...(await viewsOf(rows, name))],
    ...(routines.length > 0 && { routines }),
    leftOut: [
      ...hidden,
      ...parted.map((table) => `the partitions of ${table}: it is one table here, which also takes rows that are of no partition`),
      ...others.map(([what]) => what!),
    ],
  };
}

/** Each view's query. Its security and algorithm do not change the result. */
async function viewsOf(rows: Rows, database: string): Promise<readonly string[]> {
  const names = (
    await rows(`SELECT TABLE_NAME FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ${quoteText(database)} ORDER BY TABLE_NAME`)
  ).map(([name]) => name!);
  const made = new Map<string, string>();
  for (const name of names) {
    const [row] = await rows(`SHOW CREATE VIEW ${quoteIdentifier(database)}.${quoteIdentifier(name)}`);
    made.set(
      name,
      withoutDatabase(plainWords(row![1]!), database)
        .replace(/^CREATE .*? VIEW (?=`)/, 'CREATE VIEW ')
        .replace(/ WITH (CASCADED|LOCAL) CHECK OPTION$/, ''),
    );
  }
  const references = names.flatMap((name) =>
    names.filter((other) => other !== name && made.get(name)!.includes(quoteIdentifier(other))).map((other) => [name, other] as const),
  );
  return inOrderOfReference(names, references).map((name) => made.get(name)!);
}

/** A string, or a name with all its parts. */
const STRING_OR_NAME = /'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`(?:\.`(?:[^`]|``)*`)*/g;

/**
 * Removes the database before its tables' names, which the server writes unless it is the current database. If an alias
 * has the same name, the text stays as it is, as the two cannot be distinguished.
 */
function withoutDatabase(sql: string, database: string): string {
  const own = `${quoteIdentifier(database)}.`;
  if (sql.includes(`${quoteIdentifier(database)})`) || sql.includes(` ${quoteIdentifier(database)} `)) return sql;
  return sql.replace(STRING_OR_NAME, (part) => (part.startsWith(own) ? part.slice(own.length) : part));
}

/** Strings and quoted names, or a comment that this server reads as SQL. */
const QUOTED_OR_CONDITIONAL = /'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|\b_utf8mb[34](?=')()|\/\*M?!\d*\s*([^]*?)\s*\*\//g;

/** Removes the character sets of strings, and unwraps conditional comments, whose contents this server accepts. */
function plainWords(sql: string): string {
  return sql.replace(QUOTED_OR_CONDITIONAL, (whole, none?: string, inside?: string) => none ?? inside ?? whole);
}

interface TableText {
  readonly sql: string;
  readonly partitioned: boolean;
}

/** Removes the partitions and WITH SYSTEM VERSIONING, which follow everything else. */
function withoutPartitions(sql: string): TableText {
  const end = sql.lastIndexOf('\n)');
  const behind = sql.slice(end).replace(/'(?:[^'\\]|\\.|'')*'/g, (text) => ' '.repeat(text.length));
  const at = behind.search(/\s+PARTITION BY /);
  const versioned = behind.search(/\s+WITH SYSTEM VERSIONING/);
  const kept = [at, versioned].filter((each) => each >= 0);
  return { sql: kept.length === 0 ? sql : sql.slice(0, end + Math.min(...kept)), partitioned: at >= 0 };
}

/** Triggers of one table, timing and event come in the order in which they run. This order replaces FOLLOWS and PRECEDES. */
async function routinesOf(
  rows: Rows,
  database: string,
): Promise<{ readonly routines: readonly string[]; readonly hidden: readonly string[] }> {
  const here = quoteText(database);
  const named = await rows(
    `SELECT 'FUNCTION', ROUTINE_NAME, 0 AS place FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${here} AND ROUTINE_TYPE = 'FUNCTION'
     UNION ALL SELECT 'TRIGGER', TRIGGER_NAME, ACTION_ORDER FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ${here}
     ORDER BY 1, 3, 2`,
  );
  const [routines, hidden]: [string[], string[]] = [[], []];
  for (const [kind, name] of named) {
    const [made] = await rows(`SHOW CREATE ${kind!} ${quoteIdentifier(database)}.${quoteIdentifier(name!)}`);
    // If the user may not see the text, it is NULL.
    const text = withoutOwners(made?.[2] ?? '', new Faults());
    if (text === '') hidden.push(`the ${kind!.toLowerCase()} ${name!}, whose text its user is not shown`);
    else routines.push(asWritten(text, database));
  }
  return { routines, hidden };
}

const NAME = /(?:`(?:[^`]|``)*`|[\w$]+)/.source;

/** Removes the database before the names in the head, if the author wrote it there. */
function asWritten(sql: string, database: string): string {
  const own = `(?:${escapeRegExp(quoteIdentifier(database))}|${escapeRegExp(database)})\\s*\\.\\s*`;
  return sql
    .replace(/^\s*CREATE\s+/i, 'CREATE ')
    .replace(new RegExp(`^(CREATE (?:TRIGGER|FUNCTION)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?)${own}`, 'i'), '$1')
    .replace(new RegExp(`^(CREATE TRIGGER\\s+${NAME}\\s+\\w+\\s+\\w+\\s+ON\\s+)${own}`, 'i'), '$1')
    .replace(new RegExp(`(FOR\\s+EACH\\s+ROW)\\s+(?:FOLLOWS|PRECEDES)\\s+${NAME}`, 'i'), '$1')
    .trim();
}
