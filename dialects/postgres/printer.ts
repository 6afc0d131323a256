/**
 * Statements as PostgreSQL's SQL: one line each, every identifier quoted, every literal escaped and typed
 * (literal.ts), every operand parenthesised (expression.ts).
 */
import type { Delete, From, Insert, Query, Select, SelectItem, Statement, Update } from '../../core/index.ts';
import { InternalError } from '../../core/index.ts';
import { printExpression, printOrderExpression } from './expression.ts';
import { quoteIdentifier } from './quote.ts';

type Printers = { readonly [K in Statement['kind']]: (statement: Extract<Statement, { kind: K }>) => string };

export function printStatement(statement: Statement): string {
  const print = PRINTERS[statement.kind] as (statement: Statement) => string;
  return print(statement);
}

const PRINTERS: Printers = {
  select: printSelect,
  unionAll: (s) => s.arms.map((arm) => `(${printSelect(arm)})`).join(' UNION ALL '),
  insert: printInsert,
  update: printUpdate,
  delete: printDelete,
  savepoint: (s) => `SAVEPOINT ${quoteIdentifier(s.name)}`,
  rollbackTo: (s) => `ROLLBACK TO SAVEPOINT ${quoteIdentifier(s.name)}`,
  release: (s) => `RELEASE SAVEPOINT ${quoteIdentifier(s.name)}`,
};

function printSelect(select: Select): string {
  return clauses([
    `SELECT ${printItems(select.items)} FROM ${printFrom(select.from)}`,
    select.where && `WHERE ${printExpression(select.where)}`,
    select.orderBy?.length && `ORDER BY ${select.orderBy.map((o) => `${printOrderExpression(o.expression)} ${o.descending ? 'DESC' : 'ASC'}`).join(', ')}`,
    select.limit !== undefined && `LIMIT ${select.limit}`,
    select.lock && `FOR ${select.lock.strength.toUpperCase()}`,
    select.lock?.wait?.toUpperCase(),
  ]);
}

function printFrom(from: From): string {
  if (from.kind === 'table') return `${quoteIdentifier(from.table)} AS ${quoteIdentifier(from.alias)}`;
  if (from.kind === 'derived') return `(${printQuery(from.query)}) AS ${quoteIdentifier(from.alias)}`;
  if ((from.on === undefined) !== (from.type === 'cross')) {
    throw new InternalError(`a ${from.type} join ${from.on ? 'with' : 'without'} a condition: exactly a cross join has none`);
  }
  const on = from.on === undefined ? '' : ` ON ${printExpression(from.on)}`;
  return `(${printFrom(from.left)} ${from.type.toUpperCase()} JOIN ${printFrom(from.right)}${on})`;
}

function printQuery(query: Query): string {
  return printStatement(query);
}

function printInsert(insert: Insert): string {
  if (insert.rows.length === 0) throw new InternalError(`INSERT into ${insert.table} without a row`);
  const columns = insert.columns.map(quoteIdentifier).join(', ');
  const rows = insert.rows.map((row) => {
    if (row.length !== insert.columns.length) {
      throw new InternalError(`INSERT into ${insert.table}: ${row.length} values for ${insert.columns.length} columns`);
    }
    return `(${row.map(printExpression).join(', ')})`;
  });
  return clauses([`INSERT INTO ${quoteIdentifier(insert.table)} (${columns}) VALUES ${rows.join(', ')}`, printReturning(insert.returning)]);
}

function printUpdate(update: Update): string {
  const set = update.set.map((a) => `${quoteIdentifier(a.column)} = ${printExpression(a.value)}`).join(', ');
  return clauses([
    `UPDATE ${quoteIdentifier(update.table)} SET ${set}`,
    update.where && `WHERE ${printExpression(update.where)}`,
    printReturning(update.returning),
  ]);
}

function printDelete(statement: Delete): string {
  return clauses([
    `DELETE FROM ${quoteIdentifier(statement.table)}`,
    statement.where && `WHERE ${printExpression(statement.where)}`,
    printReturning(statement.returning),
  ]);
}

function printReturning(items: readonly SelectItem[] | undefined): string | undefined {
  return items && items.length > 0 ? `RETURNING ${printItems(items)}` : undefined;
}

function printItems(items: readonly SelectItem[]): string {
  return items.map((item) => `${printExpression(item.expression)} AS ${quoteIdentifier(item.alias)}`).join(', ');
}

function clauses(parts: readonly (string | false | 0 | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join(' ');
}
