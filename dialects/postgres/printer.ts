/**
 * Statements as PostgreSQL's SQL: one line each, every identifier quoted, every literal escaped and typed
 * (literal.ts), every operand and query in parentheses (expression.ts).
 */
import type { Assignment, Conflict, Delete, Insert, SelectItem, Statement, Update } from '../../core/index.ts';
import { InternalError, isQuery } from '../../core/index.ts';
import { clauses, printExpression, printFrom, printItems, printQuery } from './expression.ts';
import { quoteIdentifier } from './quote.ts';
import { printReadBeside } from './read-beside.ts';

type Printers = { readonly [K in Exclude<Statement['kind'], 'select' | 'unionAll' | 'setOperation'>]: (statement: Extract<Statement, { kind: K }>) => string };

export function printStatement(statement: Statement): string {
  const own = printAlone(statement);
  return 'reads' in statement && statement.reads !== undefined ? printReadBeside(statement, statement.reads, own) : own;
}

function printAlone(statement: Statement): string {
  if (isQuery(statement)) return printQuery(statement);
  const print = PRINTERS[statement.kind] as (statement: Statement) => string;
  return print(statement);
}

const PRINTERS: Printers = {
  insert: printInsert,
  update: printUpdate,
  delete: printDelete,
  savepoint: (s) => `SAVEPOINT ${quoteIdentifier(s.name)}`,
  rollbackTo: (s) => `ROLLBACK TO SAVEPOINT ${quoteIdentifier(s.name)}`,
  release: (s) => `RELEASE SAVEPOINT ${quoteIdentifier(s.name)}`,
};

function printInsert(insert: Insert): string {
  return clauses([
    `INSERT INTO ${quoteIdentifier(insert.table)} (${insert.columns.map(quoteIdentifier).join(', ')})`,
    insert.query ? `(${printQuery(insert.query)})` : printRows(insert),
    insert.conflict && printConflict(insert.table, insert.conflict),
    printReturning(insert.returning),
  ]);
}

function printRows(insert: Insert): string {
  if (insert.rows.length === 0) throw new InternalError(`INSERT into ${insert.table} without a row`);
  const rows = insert.rows.map((row) => {
    if (row.length !== insert.columns.length) {
      throw new InternalError(`INSERT into ${insert.table}: ${row.length} values for ${insert.columns.length} columns`);
    }
    return `(${row.map(printExpression).join(', ')})`;
  });
  return `VALUES ${rows.join(', ')}`;
}

function printConflict(table: string, conflict: Conflict): string {
  if (conflict.action === 'replace') throw new InternalError(`REPLACE into ${table}: PostgreSQL has no REPLACE (capability replace), so none may be planned for it`);
  const target = conflict.columns.length > 0 && `(${conflict.columns.map(quoteIdentifier).join(', ')})`;
  if (conflict.action === 'nothing') return clauses(['ON CONFLICT', target, 'DO NOTHING']);
  if (target === false) throw new InternalError(`ON CONFLICT DO UPDATE into ${table} without the columns of a key`);
  return clauses(['ON CONFLICT', target, `DO UPDATE SET ${printSet(conflict.set)}`, conflict.where && `WHERE ${printExpression(conflict.where)}`]);
}

function printUpdate(update: Update): string {
  return clauses([
    `UPDATE ${quoteIdentifier(update.through ?? update.table)} SET ${printSet(update.set)}`,
    update.from && `FROM ${printFrom(update.from)}`,
    update.where && `WHERE ${printExpression(update.where)}`,
    printReturning(update.returning),
  ]);
}

function printDelete(statement: Delete): string {
  return clauses([
    `DELETE FROM ${quoteIdentifier(statement.table)}`,
    statement.using && `USING ${printFrom(statement.using)}`,
    statement.where && `WHERE ${printExpression(statement.where)}`,
    printReturning(statement.returning),
  ]);
}

function printSet(set: readonly Assignment[]): string {
  return set.map((a) => `${quoteIdentifier(a.column)} = ${printExpression(a.value)}`).join(', ');
}

function printReturning(items: readonly SelectItem[] | undefined): string | undefined {
  return items && items.length > 0 ? `RETURNING ${printItems(items)}` : undefined;
}
