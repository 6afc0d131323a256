/**
 * Statements as PostgreSQL's SQL, one line each. Every identifier is quoted, every literal escaped and typed
 * (literal.ts), and every operand and query in parentheses (expression.ts).
 */
import type {
  AdvisoryLock,
  Conflict,
  Delete,
  Insert,
  Merge,
  MergeBranch,
  SelectItem,
  Statement,
  Update,
  WithWrites,
} from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { isQuery } from '../../core/sql/index.ts';
import { clauses } from '../printer/clauses.ts';
import { printRows, printSavepoint, printSet } from '../printer/statement.ts';
import { printTableChange } from '../printer/table-change.ts';
import { PRINTER, WORDS } from './expression.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';
import type { Printing } from './quote.ts';
import { printReadBehind, printReadBeside } from './read-beside.ts';

type Printers = {
  readonly [K in Exclude<Statement['kind'], 'select' | 'unionAll' | 'setOperation'>]: (
    statement: Extract<Statement, { kind: K }>,
    to: Printing,
  ) => string;
};

export function printStatement(statement: Statement, namespace?: string): string {
  const to: Printing = { namespace };
  const own = printAlone(statement, to);
  // PostgreSQL allows data-modifying statements only in an outermost WITH.
  if (statement.kind === 'withWrites') return own;
  return 'reads' in statement && statement.reads !== undefined ? printReadBeside(statement, statement.reads, own, to) : own;
}

function printAlone(statement: Statement, to: Printing): string {
  if (isQuery(statement)) return PRINTER.query(statement, to);
  const print = PRINTERS[statement.kind] as (statement: Statement, to: Printing) => string;
  return print(statement, to);
}

const PRINTERS: Printers = {
  insert: printInsert,
  update: printUpdate,
  delete: printDelete,
  merge: printMerge,
  withWrites: printWithWrites,
  changeTable: (change, to) =>
    printTableChange(change, {
      identifier: quoteIdentifier,
      table: (name) => quoteName(name, to),
      dropIndex: (index) => `DROP INDEX ${quoteName(index, to)}`,
      widen: (column) => `ALTER COLUMN ${column} TYPE bigint`,
      renamed: quoteIdentifier,
    }),
  savepoint: (s) => printSavepoint(s, quoteIdentifier),
  rollbackTo: (s) => printSavepoint(s, quoteIdentifier),
  release: (s) => printSavepoint(s, quoteIdentifier),
  advisoryLock: printAdvisoryLock,
  lockTable: ({ table, mode }, to) => `LOCK TABLE ${quoteName(table, to)} IN ${mode.toUpperCase()} MODE`,
};

/**
 * An advisory lock belongs to the whole database. With a namespace, its number contains a hash of the namespace's name,
 * so that namespaces do not conflict.
 */
function printAdvisoryLock({ key }: AdvisoryLock, to: Printing): string {
  const number = PRINTER.expression(key, to);
  return `SELECT pg_advisory_xact_lock(${to.namespace === undefined ? number : `hashtextextended(${quoteText(to.namespace)}, ${number})`})`;
}

function printInsert(insert: Insert, to: Printing): string {
  return clauses([
    `INSERT INTO ${quoteName(insert.table, to)} (${insert.columns.map(quoteIdentifier).join(', ')})`,
    insert.query ? `(${PRINTER.query(insert.query, to)})` : printRows(insert, PRINTER, to),
    insert.conflict && printConflict(insert.table, insert.conflict, to),
    printReturning(insert.returning, to),
  ]);
}

function printConflict(table: string, conflict: Conflict, to: Printing): string {
  if (conflict.action === 'replace')
    throw new InternalError(`REPLACE into ${table}: PostgreSQL has no REPLACE (capability replace), so none may be planned for it`);
  const target = conflict.columns.length > 0 && `(${conflict.columns.map(quoteIdentifier).join(', ')})`;
  if (conflict.action === 'nothing') return clauses(['ON CONFLICT', target, 'DO NOTHING']);
  if (target === false) throw new InternalError(`ON CONFLICT DO UPDATE into ${table} without the columns of a key`);
  return clauses([
    'ON CONFLICT',
    target,
    `DO UPDATE SET ${printSet(conflict.set, PRINTER, WORDS, to)}`,
    conflict.where && `WHERE ${PRINTER.expression(conflict.where, to)}`,
  ]);
}

function printUpdate(update: Update, to: Printing): string {
  expectUnlimited(update);
  return clauses([
    `UPDATE ${quoteName(update.through ?? update.table, to)} SET ${printSet(update.set, PRINTER, WORDS, to)}`,
    update.from && `FROM ${PRINTER.from(update.from, to)}`,
    update.where && `WHERE ${PRINTER.expression(update.where, to)}`,
    printReturning(update.returning, to),
  ]);
}

function printDelete(statement: Delete, to: Printing): string {
  expectUnlimited(statement);
  return clauses([
    `DELETE FROM ${quoteName(statement.table, to)}`,
    statement.using && `USING ${PRINTER.from(statement.using, to)}`,
    statement.where && `WHERE ${PRINTER.expression(statement.where, to)}`,
    printReturning(statement.returning, to),
  ]);
}

function expectUnlimited({ kind, table, orderBy, limit }: Update | Delete): void {
  if (orderBy === undefined && limit === undefined) return;
  throw new InternalError(
    `${kind.toUpperCase()} of ${table} with LIMIT: PostgreSQL has none (capability limitedWrites), so none may be planned for it`,
  );
}

function printMerge({ table, source, on, branches, returning }: Merge, to: Printing): string {
  return clauses([
    `MERGE INTO ${quoteName(table, to)} AS ${quoteIdentifier(table)} USING ${PRINTER.from(source, to)} ON ${PRINTER.expression(on, to)}`,
    ...branches.map((branch) => printBranch(branch, to)),
    printReturning(returning, to),
  ]);
}

function printBranch({ when, and, action, set = [], columns = [], values = [] }: MergeBranch, to: Printing): string {
  const actions = {
    nothing: () => 'DO NOTHING',
    delete: () => 'DELETE',
    update: () => `UPDATE SET ${printSet(set, PRINTER, WORDS, to)}`,
    insert: () => `INSERT (${columns.map(quoteIdentifier).join(', ')}) VALUES (${PRINTER.expressions(values, ', ', to)})`,
  };
  return clauses([`WHEN ${when.toUpperCase()}`, and && `AND ${PRINTER.expression(and, to)}`, `THEN ${actions[action]()}`]);
}

function printWithWrites({ writes, last, reads }: WithWrites, to: Printing): string {
  const parts = writes.map(({ name, write }) => `${quoteIdentifier(name)} AS (${printAlone(write, to)})`);
  const own = printAlone(last, to);
  return `WITH ${parts.join(', ')}${reads === undefined ? ` ${own}` : printReadBehind(last, reads, own, to)}`;
}

function printReturning(items: readonly SelectItem[] | undefined, to: Printing): string | undefined {
  return items && items.length > 0 ? `RETURNING ${PRINTER.items(items, to)}` : undefined;
}
