/**
 * Statements as PostgreSQL's SQL: one line each, every identifier quoted, every literal escaped and typed
 * (literal.ts), every operand and query in parentheses (expression.ts).
 */
import type { Assignment, Conflict, Delete, Insert, SelectItem, Statement, Update } from '../../core/index.ts';
import { InternalError, isQuery } from '../../core/index.ts';
import { clauses, printExpression, printFrom, printItems, printQuery } from './expression.ts';
import { quoteIdentifier, quoteName } from './quote.ts';
import type { Printing } from './quote.ts';
import { printReadBeside } from './read-beside.ts';

type Printers = { readonly [K in Exclude<Statement['kind'], 'select' | 'unionAll' | 'setOperation'>]: (statement: Extract<Statement, { kind: K }>, to: Printing) => string };

export function printStatement(statement: Statement, namespace?: string): string {
  const to: Printing = { namespace };
  const own = printAlone(statement, to);
  return 'reads' in statement && statement.reads !== undefined ? printReadBeside(statement, statement.reads, own, to) : own;
}

function printAlone(statement: Statement, to: Printing): string {
  if (isQuery(statement)) return printQuery(statement, to);
  const print = PRINTERS[statement.kind] as (statement: Statement, to: Printing) => string;
  return print(statement, to);
}

const PRINTERS: Printers = {
  insert: printInsert,
  update: printUpdate,
  delete: printDelete,
  savepoint: (s) => `SAVEPOINT ${quoteIdentifier(s.name)}`,
  rollbackTo: (s) => `ROLLBACK TO SAVEPOINT ${quoteIdentifier(s.name)}`,
  release: (s) => `RELEASE SAVEPOINT ${quoteIdentifier(s.name)}`,
};

function printInsert(insert: Insert, to: Printing): string {
  return clauses([
    `INSERT INTO ${quoteName(insert.table, to)} (${insert.columns.map(quoteIdentifier).join(', ')})`,
    insert.query ? `(${printQuery(insert.query, to)})` : printRows(insert, to),
    insert.conflict && printConflict(insert.table, insert.conflict, to),
    printReturning(insert.returning, to),
  ]);
}

function printRows(insert: Insert, to: Printing): string {
  if (insert.rows.length === 0) throw new InternalError(`INSERT into ${insert.table} without a row`);
  const rows = insert.rows.map((row) => {
    if (row.length !== insert.columns.length) {
      throw new InternalError(`INSERT into ${insert.table}: ${row.length} values for ${insert.columns.length} columns`);
    }
    return `(${row.map((value) => printExpression(value, to)).join(', ')})`;
  });
  return `VALUES ${rows.join(', ')}`;
}

function printConflict(table: string, conflict: Conflict, to: Printing): string {
  if (conflict.action === 'replace') throw new InternalError(`REPLACE into ${table}: PostgreSQL has no REPLACE (capability replace), so none may be planned for it`);
  const target = conflict.columns.length > 0 && `(${conflict.columns.map(quoteIdentifier).join(', ')})`;
  if (conflict.action === 'nothing') return clauses(['ON CONFLICT', target, 'DO NOTHING']);
  if (target === false) throw new InternalError(`ON CONFLICT DO UPDATE into ${table} without the columns of a key`);
  return clauses(['ON CONFLICT', target, `DO UPDATE SET ${printSet(conflict.set, to)}`, conflict.where && `WHERE ${printExpression(conflict.where, to)}`]);
}

function printUpdate(update: Update, to: Printing): string {
  return clauses([
    `UPDATE ${quoteName(update.through ?? update.table, to)} SET ${printSet(update.set, to)}`,
    update.from && `FROM ${printFrom(update.from, to)}`,
    update.where && `WHERE ${printExpression(update.where, to)}`,
    printReturning(update.returning, to),
  ]);
}

function printDelete(statement: Delete, to: Printing): string {
  return clauses([
    `DELETE FROM ${quoteName(statement.table, to)}`,
    statement.using && `USING ${printFrom(statement.using, to)}`,
    statement.where && `WHERE ${printExpression(statement.where, to)}`,
    printReturning(statement.returning, to),
  ]);
}

function printSet(set: readonly Assignment[], to: Printing): string {
  return set.map((a) => `${quoteIdentifier(a.column)} = ${printExpression(a.value, to)}`).join(', ');
}

function printReturning(items: readonly SelectItem[] | undefined, to: Printing): string | undefined {
  return items && items.length > 0 ? `RETURNING ${printItems(items, to)}` : undefined;
}
