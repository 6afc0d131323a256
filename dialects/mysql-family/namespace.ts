/**
 * A namespace is a database of ours. A table in it with our comment marks it as ours, because MySQL's databases have no
 * comment. Only databases with the mark are ever dropped, and an existing database is never used.
 */
import type { Schema, Table } from '../../core/sql/index.ts';
import type { Connection, SetupStatement } from '../../core/dialect/index.ts';
import { InternalError, UsageError } from '../../core/base/index.ts';
import { LIST_COLUMN, LIST_WINDOW, RID_COLUMN } from '../../core/history/index.ts';
import type { DdlPrinter } from '../knex-ddl.ts';
import { ddlBuilder, schemaStatements } from '../knex-ddl.ts';
import { PRINTER } from './expression.ts';
import type { Flavour } from './flavour.ts';
import { followers } from './follow.ts';
import { KEYED_TEXT_LENGTH, columnTypeName, printDefault } from './literal.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';
import { routines } from './routine.ts';
import { triggers } from './trigger.ts';

const MARK_TABLE = 'anomalist_mark';
const MARK = 'anomalist: made by this tool, dropped when its run ends';

/** On MariaDB, a text without a length turns each temporary table that holds it into a file. */
const AUXILIARY: ReadonlyMap<string, string> = new Map([
  [RID_COLUMN, asciiText(64)],
  [LIST_COLUMN, asciiText(LIST_WINDOW)],
]);

function asciiText(length: number): string {
  return `varchar(${length}) CHARACTER SET ascii COLLATE ascii_bin`;
}

export function createNamespace(namespace: string, schema: Schema, flavour: Flavour): readonly string[] {
  return [makeNamespace(namespace, flavour), ...fill(schema, flavour, namespace)].map(({ sql }) => sql);
}

export function namespaceScript(namespace: string, schema: Schema, flavour: Flavour): readonly SetupStatement[] {
  return [makeNamespace(namespace, flavour), { sql: enterNamespace(namespace), makes: 'namespace' }, ...fill(schema, flavour)];
}

export function enterNamespace(namespace: string): string {
  return `USE ${quoteIdentifier(namespace)}`;
}

function makeNamespace(namespace: string, { collation }: Flavour): SetupStatement {
  return { sql: `CREATE DATABASE ${quoteIdentifier(namespace)} CHARACTER SET utf8mb4 COLLATE ${collation}`, makes: 'namespace' };
}

function fill(schema: Schema, flavour: Flavour, namespace?: string): readonly SetupStatement[] {
  return [
    {
      sql: `CREATE TABLE ${quoteName(MARK_TABLE, { namespace })} (mark int NOT NULL PRIMARY KEY) COMMENT = ${quoteText(MARK)}`,
      makes: 'mark',
    },
    ...schema.tables.flatMap((table) =>
      schemaStatements(ddlBuilder('mysql2'), { tables: [table] }, ddlPrinter(table, schema, flavour), namespace),
    ),
    ...(schema.views ?? []).map((view): SetupStatement => {
      const name = quoteName(view.name, { namespace });
      return { sql: `CREATE VIEW ${name} AS ${PRINTER.query(view.query, { flavour, namespace })}`, makes: 'view', name };
    }),
    ...schema.tables.flatMap((table) => triggers(table, { flavour, namespace })),
    ...routines(schema.routines, namespace),
    ...followers(schema, namespace),
  ];
}

function ddlPrinter(table: Table, schema: Schema, flavour: Flavour): DdlPrinter {
  const keyed = keyedColumns(table, schema);
  return {
    columnType: (column) =>
      AUXILIARY.get(column.name) ??
      columnTypeName(column.type, keyed.has(column.name) || (column.default ?? null) !== null) + (column.identity ? ' auto_increment' : ''),
    // A bare literal is a column's DEFAULT.
    expression: (expression) =>
      expression.kind === 'literal' ? printDefault(expression.type, expression.value) : PRINTER.expression(expression, { flavour }),
    identifier: quoteIdentifier,
    exclusion: ({ name }) => {
      throw new InternalError(
        `the exclusion constraint ${name}: ${flavour.title} has none (no capability ranges), so none may be planned for it`,
      );
    },
    checkText: quoteText,
    partitioned: (_, { column, below }) => ({
      clause: ` partition by range (${quoteIdentifier(column)}) (partition low values less than (${below}), partition high values less than maxvalue)`,
      more: [],
    }),
  };
}

function keyedColumns(table: Table, schema: Schema): ReadonlySet<string> {
  const referenced = schema.tables.flatMap((other) =>
    other.foreignKeys.filter((key) => key.table === table.name).flatMap((key) => key.references),
  );
  return new Set([
    ...table.primaryKey,
    ...table.uniques.flat(),
    // An index over more characters than KEYED_TEXT_LENGTH needs a text column of any length.
    ...table.indexes.flatMap(({ columns, shape }) => (shape?.kind === 'prefix' && shape.length > KEYED_TEXT_LENGTH ? [] : columns)),
    ...table.foreignKeys.flatMap((key) => key.columns),
    ...referenced,
  ]);
}

export async function assertFree(connection: Connection, namespace: string): Promise<void> {
  if ((await findMark(connection, namespace)) === undefined) return;
  throw new UsageError(
    `the database ${quoteIdentifier(namespace)} exists already: anomalist uses only databases that it makes itself; drop it or let the tool choose another name`,
  );
}

export async function dropNamespace(connection: Connection, namespace: string): Promise<void> {
  const mark = await findMark(connection, namespace);
  if (mark === undefined) return;
  if (mark !== MARK) {
    throw new UsageError(
      `refused to drop the database ${quoteIdentifier(namespace)}: it does not hold the table ${MARK_TABLE} that anomalist puts into its own; drop it yourself if it is not needed`,
    );
  }
  await connection.query(`DROP DATABASE ${quoteIdentifier(namespace)}`);
}

/** The comment of the mark's table. Null: there is no such table. Undefined: there is no such database. */
async function findMark(connection: Connection, namespace: string): Promise<string | null | undefined> {
  const { rows } = await connection.query(
    `SELECT t.TABLE_COMMENT FROM information_schema.SCHEMATA s LEFT JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = s.SCHEMA_NAME AND t.TABLE_NAME = ${quoteText(MARK_TABLE)} ` +
      `WHERE s.SCHEMA_NAME = ${quoteText(namespace)}`,
  );
  return rows[0]?.[0];
}
