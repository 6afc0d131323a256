/**
 * Statements as the MySQL family's SQL, one line each. Every name is in backticks, every literal escaped (quote.ts),
 * and every operand and query in parentheses (expression.ts). UPDATE ... FROM and DELETE ... USING become its
 * multi-table forms. Assignments take effect from left to right: a later one sees the new value of an earlier one.
 */
import { createHash } from 'node:crypto';
import type { AdvisoryLock, Conflict, Delete, Expression, From, Insert, SelectItem, Statement, Update } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { contentsOf, contentsOfExpressions, isQuery, leavesOf } from '../../core/sql/index.ts';
import { clauses } from '../printer/clauses.ts';
import { printRows, printSavepoint, printSet } from '../printer/statement.ts';
import { printTableChange } from '../printer/table-change.ts';
import { PRINTER, WORDS, printResult, printShown, within } from './expression.ts';
import type { Flavour, Printing } from './flavour.ts';
import { quoteIdentifier, quoteName } from './quote.ts';
import { printReadBeside } from './read-beside.ts';
import { sessionLockText } from './session-lock.ts';

type Printers = {
  readonly [K in Exclude<Statement['kind'], 'select' | 'unionAll' | 'setOperation'>]: (
    statement: Extract<Statement, { kind: K }>,
    to: Printing,
  ) => string;
};

export function printStatement(statement: Statement, flavour: Flavour, namespace?: string): string {
  const to: Printing = { flavour, namespace };
  if (isQuery(statement))
    return statement.reads === undefined ? printResult(statement, to) : printReadBeside(statement, statement.reads, to);
  if ('reads' in statement && statement.reads !== undefined)
    throw new InternalError(`reads beside a write: ${flavour.title} shows them beside queries only (capability readBeside)`);
  const print = PRINTERS[statement.kind] as (statement: Statement, to: Printing) => string;
  return print(statement, to);
}

const PRINTERS: Printers = {
  insert: printInsert,
  update: printUpdate,
  delete: printDelete,
  merge: ({ table }, { flavour }) => {
    throw new InternalError(`MERGE into ${table}: ${flavour.title} has none (capability merge), so none may be planned for it`);
  },
  withWrites: ({ writes }, { flavour }) => {
    throw new InternalError(
      `WITH ${writes[0]?.name ?? ''} AS a write: ${flavour.title} has none (capability writingWith), so none may be planned for it`,
    );
  },
  changeTable: (change, to) =>
    printTableChange(change, {
      identifier: quoteIdentifier,
      table: (name) => quoteName(name, to),
      dropIndex: (index, table) => `DROP INDEX ${quoteIdentifier(index)} ON ${quoteName(table, to)}`,
      widen: (column) => `MODIFY COLUMN ${column} bigint`,
      renamed: (name) => quoteName(name, to),
    }),
  savepoint: (s) => printSavepoint(s, quoteIdentifier),
  rollbackTo: (s) => printSavepoint(s, quoteIdentifier),
  release: (s) => printSavepoint(s, quoteIdentifier),
  advisoryLock: printAdvisoryLock,
  lockTable: ({ table }, { flavour }) => {
    throw new InternalError(`LOCK TABLE ${table}: ${flavour.title} has none (capability tableLocks), so none may be planned for it`);
  },
};

/**
 * A user lock belongs to the whole server. Its name contains a hash of the namespace's name, so that namespaces do not
 * conflict.
 */
function printAdvisoryLock({ key }: AdvisoryLock, to: Printing): string {
  const name = PRINTER.expression(key, to);
  const own = to.namespace === undefined ? name : `CONCAT('${hashOf(to.namespace)} ', ${name})`;
  return sessionLockText(own);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** DO NOTHING becomes INSERT IGNORE, which ignores conflicts of every key, and also other errors of a row. */
const VERBS = { nothing: 'INSERT IGNORE', update: 'INSERT', replace: 'REPLACE' } satisfies Record<Conflict['action'], string>;

function printInsert(insert: Insert, around: Printing): string {
  const to = within({ kind: 'table', table: insert.table, alias: insert.table }, around);
  return clauses([
    `${insert.conflict ? VERBS[insert.conflict.action] : 'INSERT'} INTO ${quoteName(insert.table, to)} (${insert.columns.map(quoteIdentifier).join(', ')})`,
    insert.query ? PRINTER.query(insert.query, to) : printRows(insert, PRINTER, to),
    insert.conflict?.action === 'update' && `ON DUPLICATE KEY UPDATE ${printConflictSet(insert.table, insert.conflict, to)}`,
    printReturning('insert', insert.returning, to),
  ]);
}

/** A session variable that holds the condition's value from before the first assignment. It is set again for each row. */
const CONDITION = '@iso_condition';

/** With a condition, every column gets its own value where the condition is false. */
function printConflictSet(table: string, { set, where }: Extract<Conflict, { action: 'update' }>, to: Printing): string {
  if (where === undefined) return printSet(set, PRINTER, WORDS, to);
  const condition = PRINTER.expression(where, to);
  const kept = set.length > 1 && set.slice(0, -1).some(({ column }) => names(where, column));
  return set
    .map(({ column, value }, i) => {
      const name = quoteIdentifier(column);
      const test = !kept ? condition : i === 0 ? `(${CONDITION} := ${condition})` : CONDITION;
      const chosen = value.kind === 'default' ? `DEFAULT(${name})` : PRINTER.expression(value, to);
      return `${name} = IF(${test}, ${chosen}, ${quoteIdentifier(table)}.${name})`;
    })
    .join(', ');
}

/** A subquery counts as naming the column, since it may name anything. */
function names(expression: Expression, column: string): boolean {
  const { expressions, queries } = contentsOfExpressions([expression]);
  return queries.length > 0 || expressions.some((each) => each.kind === 'column' && each.column === column);
}

function printUpdate(update: Update, around: Printing): string {
  const target = update.through ?? update.table;
  const to = writing(update.table, target, update.from, around);
  // In a multi-table statement an unqualified column could belong to any of the tables.
  const qualifier = update.from === undefined ? '' : `${quoteIdentifier(target)}.`;
  return clauses([
    `UPDATE ${printMergeHint(update, update.through, update.from, around.flavour)}${quoteName(target, around)}`,
    update.from && `CROSS JOIN ${PRINTER.from(update.from, around)}`,
    `SET ${printSet(update.set, PRINTER, WORDS, to, qualifier)}`,
    update.where && `WHERE ${PRINTER.expression(update.where, to)}`,
    ...printFirst(update, to),
    printReturning('update', update.returning, to),
  ]);
}

function printDelete(statement: Delete, around: Printing): string {
  const to = writing(statement.table, statement.table, statement.using, around);
  const table = quoteName(statement.table, around);
  return clauses([
    statement.using
      ? `DELETE ${printMergeHint(statement, undefined, statement.using, around.flavour)}${table} FROM ${table} CROSS JOIN ${PRINTER.from(statement.using, around)}`
      : `DELETE FROM ${table}`,
    statement.where && `WHERE ${PRINTER.expression(statement.where, to)}`,
    ...printFirst(statement, to),
    printReturning(statement.using ? 'multi-table delete' : 'delete', statement.returning, to),
  ]);
}

function printFirst({ orderBy, limit }: Update | Delete, to: Printing): readonly (string | undefined)[] {
  return [orderBy && `ORDER BY ${PRINTER.order(orderBy, to)}`, limit === undefined ? undefined : `LIMIT ${limit}`];
}

/**
 * A statement that assigns a variable reads views and derived tables into temporary ones, unless a hint forbids it. An
 * UPDATE through a view is then refused (1288). Only captures assign, so the user's own statements get no hint. Derived
 * tables capture inside, and a merged one would read the variable only once.
 */
function printMergeHint(write: Update | Delete, through: string | undefined, from: From | undefined, { mergeHint }: Flavour): string {
  if (!mergeHint || !contentsOf(write).expressions.some((expression) => expression.kind === 'capture')) return '';
  const views = (from === undefined ? [] : leavesOf(from)).filter((leaf) => leaf.kind === 'view').map((leaf) => leaf.alias);
  const names = through === undefined ? views : [through, ...views];
  return names.length === 0 ? '' : `/*+ MERGE(${names.map(quoteIdentifier).join(', ')}) */ `;
}

/**
 * The subqueries of a write may not read the table that it changes (error 1093, through views 1443), but may read a
 * copy. `target`: the table itself or a view of it.
 */
function writing(table: string, target: string, others: From | undefined, around: Printing): Printing {
  const own: From = target === table ? { kind: 'table', table, alias: table } : { kind: 'view', view: target, alias: target };
  const to = within(others === undefined ? own : { kind: 'join', type: 'cross', left: own, right: others }, around);
  return around.flavour.selfReference && others === undefined
    ? to
    : { ...to, copied: (name, kind) => kind === 'view' || name === table || name === target };
}

function printReturning(
  kind: 'insert' | 'update' | 'delete' | 'multi-table delete',
  items: readonly SelectItem[] | undefined,
  to: Printing,
): string | undefined {
  if (items === undefined || items.length === 0) return undefined;
  if (kind === 'multi-table delete' || !to.flavour.returning[kind])
    throw new InternalError(`${kind.toUpperCase()} ... RETURNING: ${to.flavour.title} has none (capability returning)`);
  return `RETURNING ${PRINTER.items(items, to, printShown)}`;
}
