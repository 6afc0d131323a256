/**
 * Proposes a lock on the parent row of the rows that a transaction reads or writes, before it reads there. All
 * transactions on rows of one parent then wait for each other, including for rows that do not exist yet.
 *
 *     SELECT id FROM organizations WHERE id = :org FOR UPDATE;          -- put in front of the count
 *     SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
 *
 * If the transaction reads the parent's key together with the values that it decides by, the lock selects that row
 * itself.
 */
import { conjunctsOf, contentsOf } from '../../core/index.ts';
import type { Expression, From, Schema, Select, Statement, Table } from '../../core/index.ts';
import type { TransactionTemplate } from '../workload-file/import.ts';
import { wordIn, withoutInto } from '../workload-file/text.ts';
import type { StatementEdit } from './edited-file.ts';
import type { Spelled } from './spelled.ts';

export interface ParentLock {
  /** The table whose row is locked. */
  readonly parent: string;
  /** The lock, in front of the statement with this number, from 0. */
  readonly sql: string;
  readonly at: number;
  /** The name of the row's key, if it is known to be a whole number. */
  readonly number?: string;
  /** The transaction reads the row itself first, and FOR UPDATE on that read has the same effect. */
  readonly read?: true;
}

export interface ParentLocksOf {
  readonly transaction: TransactionTemplate;
  readonly texts: readonly string[];
  readonly schema: Schema;
  readonly names: Spelled;
}

/** Returns the locks of one transaction, a few for each parent. */
export function parentLocks({ transaction, texts, schema, names }: ParentLocksOf): readonly ParentLock[] {
  if (transaction.autocommit) return [];
  const statements = transaction.steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
  const locks = new Map<string, ParentLock>();
  const add = (lock: ParentLock): void => void locks.set(`${lock.parent} ${lock.at} ${lock.sql}`, lock);
  for (const { parent, key, parameter, table } of statements.flatMap((statement) => belongings(statement, schema))) {
    const known = statements.findIndex(({ into = [] }) => into.includes(parameter)) + 1;
    const touches = (statement: Statement): boolean => [table, parent].some((name) => tablesIn(statement).has(name));
    const at = statements.findIndex((statement, n) => n >= known && touches(statement));
    if (at < 0) continue;
    const read = statements.slice(0, at + 1).some((statement) => isPlainRead(statement, { parent, key, parameter }));
    const [column, from] = [names.column(parent, key), names.table(parent)];
    const sql = `SELECT ${column} FROM ${from} WHERE ${column} = :${parameter} FOR UPDATE`;
    add({ parent, at, sql, ...(isNumber(schema, parent, key) && { number: parameter }), ...(read && { read }) });
  }
  for (const [at, statement] of statements.entries())
    for (const lock of lookupLocks(statement, texts[at]!, schema, names)) add({ ...lock, at });
  return [...locks.values()];
}

export function parentEdits(locks: readonly ParentLock[]): readonly StatementEdit[] {
  return locks.map(({ at, sql }) => ({ at, before: [sql] }));
}

function isNumber({ tables }: Schema, table: string, column: string): boolean {
  const kind = tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)?.type.kind;
  return kind === 'integer' || kind === 'bigint';
}

interface Belonging {
  readonly parent: string;
  /** The parent's key. */
  readonly key: string;
  readonly parameter: string;
  /** The table whose rows belong to it. */
  readonly table: string;
}

/** Finds `child.parent_id = :parent`, `parent.id = :parent`, or the value of such a column in an INSERT. */
function belongings(statement: Statement, schema: Schema): readonly Belonging[] {
  const aliases = aliasesIn(statement);
  const compared = wheresIn(statement)
    .flatMap(conjunctsOf)
    .flatMap((each) => {
      if (each.kind !== 'compare' || each.op !== '=' || each.left.kind !== 'column' || each.right.kind !== 'parameter') return [];
      return belonging(aliases.get(each.left.table), each.left.column, each.right.name, schema);
    });
  const inserted =
    statement.kind === 'insert'
      ? statement.rows.flatMap((row) =>
          row.flatMap((value, place) =>
            value.kind === 'parameter' ? belonging(statement.table, statement.columns[place]!, value.name, schema) : [],
          ),
        )
      : [];
  return [...compared, ...inserted];
}

function belonging(name: string | undefined, column: string, parameter: string, schema: Schema): readonly Belonging[] {
  const table = schema.tables.find((each) => each.name === name);
  if (table === undefined) return [];
  const { primaryKey } = table;
  const own = primaryKey.length === 1 && primaryKey[0] === column && hasChildren(table, schema);
  const parent = parentOf(table, column);
  return [
    ...(own ? [{ parent: table.name, key: column, parameter, table: table.name }] : []),
    ...(parent === undefined ? [] : [{ ...parent, parameter, table: table.name }]),
  ];
}

function parentOf({ foreignKeys }: Table, column: string): { readonly parent: string; readonly key: string } | undefined {
  const key = foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column);
  return key === undefined ? undefined : { parent: key.table, key: key.references[0]! };
}

function hasChildren({ name }: Table, { tables }: Schema): boolean {
  return tables.some(({ foreignKeys }) => foreignKeys.some(({ table }) => table === name));
}

/** Tells whether the statement reads the row by its key already. FOR UPDATE locks it there. */
function isPlainRead(statement: Statement, { parent, key, parameter }: Omit<Belonging, 'table'>): boolean {
  if (statement.kind !== 'select' || statement.from.kind !== 'table' || statement.from.table !== parent) return false;
  const { where, items, groupBy } = statement;
  const plain = groupBy === undefined && items.every(({ expression }) => expression.kind === 'column');
  return (
    plain &&
    conjunctsOf(where).some(
      (each) =>
        each.kind === 'compare' &&
        each.op === '=' &&
        each.left.kind === 'column' &&
        each.left.column === key &&
        each.right.kind === 'parameter' &&
        each.right.name === parameter,
    )
  );
}

/** Finds the row of the team in `SELECT team_id INTO :team FROM people WHERE ...` by the same query. */
function lookupLocks(statement: Statement, text: string, schema: Schema, names: Spelled): readonly Omit<ParentLock, 'at'>[] {
  if (statement.kind !== 'select' || !isPlainLookup(statement)) return [];
  const { from, items } = statement;
  const table = schema.tables.find(({ name }) => from.kind === 'table' && name === from.table);
  const { sql } = withoutInto(text);
  const [start, end] = [wordIn(sql, 'from'), wordIn(sql, 'for')];
  if (table === undefined || start === undefined) return [];
  return items.flatMap(({ expression }) => {
    const parent = expression.kind === 'column' ? parentOf(table, expression.column) : undefined;
    if (parent === undefined || expression.kind !== 'column') return [];
    const found = `(SELECT ${names.column(table.name, expression.column)} ${sql.slice(start, end).trim()})`;
    const key = names.column(parent.parent, parent.key);
    return [{ parent: parent.parent, sql: `SELECT ${key} FROM ${names.table(parent.parent)} WHERE ${key} = ${found} FOR UPDATE` }];
  });
}

function isPlainLookup({ with: named, distinct, groupBy, having, orderBy, limit, where }: Select): boolean {
  return [named, groupBy, having, orderBy, limit].every((each) => each === undefined) && distinct !== true && where !== undefined;
}

function wheresIn(statement: Statement): readonly Expression[] {
  const { queries } = contentsOf(statement);
  const own = statement.kind === 'update' || statement.kind === 'delete' ? [statement.where] : [];
  return [...own, ...queries.map((query) => (query.kind === 'select' ? query.where : undefined))].flatMap((where) => where ?? []);
}

/** Maps an alias to its table. The own table of an UPDATE or DELETE is under its name. */
function aliasesIn(statement: Statement): ReadonlyMap<string, string> {
  const leaves = contentsOf(statement).leaves.flatMap((leaf: From) => (leaf.kind === 'table' ? [[leaf.alias, leaf.table] as const] : []));
  const own = statement.kind === 'update' || statement.kind === 'delete' ? [[statement.table, statement.table] as const] : [];
  return new Map([...own, ...leaves]);
}

function tablesIn(statement: Statement): ReadonlySet<string> {
  const written = 'table' in statement && statement.kind !== 'changeTable' ? [statement.table] : [];
  return new Set([...written, ...aliasesIn(statement).values()]);
}
