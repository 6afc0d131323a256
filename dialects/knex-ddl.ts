/**
 * DDL and initial rows through knex, used only as a builder: no connection, no driver. The dialect's own printer prints
 * what knex cannot know (types, literals, expressions), and knex takes it as raw text.
 */
import { createRequire } from 'node:module';
import type { Knex } from 'knex';
import type { Column, Exclusion, Expression, Partitions, Schema, Table } from '../core/sql/index.ts';
import type { SetupStatement } from '../core/dialect/index.ts';
import { InternalError } from '../core/base/index.ts';
import { createIndex } from './index-ddl.ts';

export interface DdlPrinter {
  columnType(column: Column): string;
  expression(expression: Expression): string;
  identifier(name: string): string;
  /** The clause behind the table's columns, and the statements that follow. The table's name has its namespace and is quoted. */
  partitioned(
    table: Table,
    partitions: Partitions,
    namespace: string | undefined,
  ): { readonly clause: string; readonly more: readonly string[] };
  /** The constraint, without its name. */
  exclusion(exclusion: Exclusion, table: Table): string;
  /** Checks a value that knex will quote. Throws if the DBMS cannot hold it. */
  checkText(text: string): void;
}

/**
 * knex is loaded when the first schema is printed. It takes a fifth of the time in which a command starts, and a command
 * that reads a file or refuses its flags never needs it.
 */
export function ddlBuilder(client: 'pg' | 'mysql2'): Knex {
  return (createRequire(import.meta.url)('knex') as (config: Knex.Config) => Knex)({ client });
}

/**
 * CREATE TABLE, constraints, indexes and one INSERT for each table with rows, in an order that foreign keys allow. If
 * there is a namespace, every table is named with it.
 */
export function schemaStatements(knex: Knex, schema: Schema, printer: DdlPrinter, namespace?: string): readonly SetupStatement[] {
  return schema.tables.flatMap((table) => [
    ...tableStatements(knex, table, printer, namespace),
    ...rowStatements(knex, table, printer, namespace),
    ...hashedStatements(table, printer, namespace),
  ]);
}

function tableStatements(knex: Knex, table: Table, printer: DdlPrinter, namespace: string | undefined): readonly SetupStatement[] {
  [
    table.name,
    ...(namespace === undefined ? [] : [namespace]),
    ...[...table.columns, ...table.indexes, ...table.foreignKeys].map(({ name }) => name),
  ].forEach(refuseKnexSyntax);
  const statements = (namespace === undefined ? knex.schema : knex.schema.withSchema(namespace)).createTable(table.name, (t) => {
    for (const column of table.columns) {
      const built = t.specificType(column.name, printer.columnType(column) + generatedText(column, printer));
      if (!column.nullable || column.identity) built.notNullable();
      if (column.default !== undefined) {
        const literal = printer.expression({ kind: 'literal', type: column.type.kind, value: column.default });
        built.defaultTo(knex.raw(rawText(literal)));
      }
    }
    if (table.primaryKey.length > 0) t.primary([...table.primaryKey]);
    table.uniques.forEach((columns, n) => isHashed(table, columns) || t.unique([...columns], { indexName: uniqueName(table, n) }));
    table.indexes.forEach(({ name, columns, shape }) => shape ?? t.index([...columns], name));
    // knex leaves the name of a check unquoted.
    table.checks.forEach((check) => t.check(rawText(printer.expression(check.expression)), [], rawText(printer.identifier(check.name))));
    table.foreignKeys.forEach((key) => {
      const made = t
        .foreign([...key.columns], key.name)
        .references([...key.references])
        .inTable(qualified(key.table, namespace))
        .onDelete(key.onDelete)
        .onUpdate(key.onUpdate);
      if (key.deferred) made.deferrable('deferred');
    });
  });
  const name = (namespace === undefined ? [table.name] : [namespace, table.name]).map((part) => printer.identifier(part)).join('.');
  // The table's statement comes first. Statements for what knex cannot express inside it follow.
  const { clause = '', more = [] } = table.partitions === undefined ? {} : printer.partitioned(table, table.partitions, namespace);
  const made = statements.toSQL().map(({ sql, bindings }: { sql: string; bindings?: readonly unknown[] }, n: number): SetupStatement => {
    if (bindings !== undefined && bindings.length > 0) throw new InternalError(`DDL of table ${table.name} with bind values: ${sql}`);
    return n === 0 ? { sql: sql + clause, makes: 'table', name } : { sql, makes: 'part' };
  });
  const shaped = table.indexes.flatMap((index): SetupStatement[] =>
    index.shape === undefined ? [] : [{ sql: createIndex(index, index.shape, name, printer), makes: 'part' }],
  );
  const excluding = (table.exclusions ?? []).map(
    (each) => `ALTER TABLE ${name} ADD CONSTRAINT ${printer.identifier(each.name)} ${printer.exclusion(each, table)}`,
  );
  return [...made, ...[...more, ...excluding].map((sql): SetupStatement => ({ sql, makes: 'part' })), ...shaped];
}

function isHashed({ hashed = [] }: Table, columns: readonly string[]): boolean {
  return hashed.some((each) => each.length === columns.length && each.every((name, i) => name === columns[i]));
}

function uniqueName({ name }: Table, n: number): string {
  return `${name}_unique_${n + 1}`;
}

/**
 * All hashed keys are in the table's last statement, because MariaDB turns them into B-trees when a later ALTER TABLE
 * changes the table.
 */
function hashedStatements(table: Table, printer: DdlPrinter, namespace: string | undefined): readonly SetupStatement[] {
  const keys = table.uniques.flatMap((columns, n) => {
    if (!isHashed(table, columns)) return [];
    const list = columns.map((column) => printer.identifier(column)).join(', ');
    return [`ADD UNIQUE INDEX ${printer.identifier(uniqueName(table, n))} USING HASH (${list})`];
  });
  if (keys.length === 0) return [];
  const name = (namespace === undefined ? [table.name] : [namespace, table.name]).map((part) => printer.identifier(part)).join('.');
  return [{ sql: `ALTER TABLE ${name} ${keys.join(', ')}`, makes: 'part' }];
}

function generatedText({ generated }: Column, printer: DdlPrinter): string {
  return generated === undefined ? '' : ` generated always as (${printer.expression(generated.expression)}) ${generated.kind}`;
}

/** The server fills identity columns, unless `nextNumber` is set, and generated columns. */
function rowStatements(knex: Knex, table: Table, printer: DdlPrinter, namespace: string | undefined): readonly SetupStatement[] {
  if (table.rows.length === 0) return [];
  const rows = table.rows.map((row) => {
    if (row.length !== table.columns.length)
      throw new InternalError(`initial row of ${table.name}: ${row.length} values for ${table.columns.length} columns`);
    const pairs = table.columns.flatMap((column, i) =>
      column.generated !== undefined || (column.identity && column.nextNumber === undefined)
        ? []
        : [[column.name, row[i] ?? null] as const],
    );
    pairs.forEach(([, value]) => typeof value === 'string' && printer.checkText(value));
    return Object.fromEntries(pairs);
  });
  return [{ sql: knex(qualified(table.name, namespace)).insert(rows).toQuery(), makes: 'rows' }];
}

/** The name as knex parses it. Neither part contains a dot. */
function qualified(table: string, namespace: string | undefined): string {
  return namespace === undefined ? table : `${namespace}.${table}`;
}

/** In raw text a question mark is a placeholder unless escaped. knex removes the backslash again. */
function rawText(text: string): string {
  return text.replaceAll('?', '\\?');
}

/** knex parses a dot as a qualified name, ` as ` as an alias, * as all columns and ? as a bind value, inside identifiers too. */
function refuseKnexSyntax(name: string): void {
  if (name === '*' || /[.?]/.test(name) || / as /i.test(name)) {
    throw new InternalError(`the identifier ${JSON.stringify(name)} cannot pass through knex (no dot, no ?, no " as ", not *)`);
  }
}
