/**
 * Reads the schemas and statements of tests from SQL. The project's own importer of PostgreSQL reads the text. A text that it
 * refuses throws an error with the reason. A test of the importer, the printer or the type check builds its trees
 * by hand instead.
 */
import { isRefusal, type Refusal } from '../core/dialect/index.ts';
import type { Expression, Query, Schema, Statement, Table, TypeKind, Value } from '../core/sql/index.ts';
import { postgres } from '../dialects/index.ts';

const importer = await postgres.importer!();

/** The text has CREATE TABLE, CREATE INDEX, CREATE VIEW and INSERT ... VALUES, separated by semicolons. No string holds one. */
export function schemaOf(text: string): Schema {
  const sqls = text.split(';').filter((sql) => sql.trim() !== '');
  const { schema, refused } = importer.schema(sqls.map((sql, i) => ({ sql, line: i + 1 })));
  for (const refusal of refused) refuse(sqls[refusal.line - 1] ?? text, refusal);
  return schema;
}

/** Returns the only table of the schema. */
export function tableOf(text: string): Table {
  const { tables } = schemaOf(text);
  if (tables.length !== 1) throw new Error(`${text}: expected one table, not ${tables.length}`);
  return tables[0]!;
}

/** Reads one statement of a transaction. A parameter is written `:name`, and `parameters` has its type. */
export function statementOf(schema: Schema, sql: string, parameters: Readonly<Record<string, TypeKind>> = {}): Statement {
  const read = importer.statement({ sql, line: 1 }, schema, new Map(Object.entries(parameters)));
  return isRefusal(read) ? refuse(sql, read) : read;
}

export function queryOf(schema: Schema, sql: string, parameters: Readonly<Record<string, TypeKind>> = {}): Query {
  const read = statementOf(schema, sql, parameters);
  if (read.kind !== 'select' && read.kind !== 'unionAll' && read.kind !== 'setOperation')
    throw new Error(`${sql}: expected a query, not ${read.kind}`);
  return read;
}

/** A number is an integer, and a string is a text, unless `type` says otherwise. NULL needs a `type`. */
export function literal(value: Value, type: TypeKind = typeOf(value)): Extract<Expression, { kind: 'literal' }> {
  return { kind: 'literal', type, value };
}

function typeOf(value: Value): TypeKind {
  if (value === null) throw new Error('literal(null): expected the type of the NULL');
  return typeof value === 'number' ? 'integer' : typeof value === 'string' ? 'text' : 'boolean';
}

function refuse(sql: string, { reason }: Refusal): never {
  throw new Error(`${sql.trim()}: ${reason}`);
}
