/**
 * Reads INSERT, REPLACE, UPDATE and DELETE. A statement over several tables becomes the table that changes and the
 * tables that it is joined with. Inner and cross joins of the first level are split, and their conditions go to the
 * WHERE.
 */
import type { Assignment, Conflict, Delete, Expression, From, Insert, SelectItem, Update } from '../../../core/sql/index.ts';
import { leavesOf } from '../../../core/sql/index.ts';
import type { Unresolved } from '../../import/index.ts';
import { readExpression } from './read-expression.ts';
import { readAlias, readFrom, readTable } from './read-from.ts';
import { readItems } from './read-query.ts';
import type { Reading } from './reading.ts';

const MODIFIERS = ['LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'QUICK'];

function refuseModifiers({ cursor }: Reading): void {
  if (cursor.seesAny(MODIFIERS))
    cursor.refuse(`${cursor.token.text.toUpperCase()} is not supported: it is a hint to the server, which would be lost; leave it out`);
}

export function readInsert(reading: Reading, replace: boolean): Unresolved {
  const { cursor } = reading;
  refuseModifiers(reading);
  const ignore = !replace && cursor.accept('IGNORE');
  cursor.accept('INTO');
  const table = readTable(reading);
  const given = cursor.accept('SET') ? readSetRow(reading) : { columns: readColumns(reading), ...readRows(reading) };
  const proposed = cursor.accept('AS') ? cursor.name('alias of the new row') : '';
  if (proposed !== '' && cursor.sees('('))
    cursor.refuse(`names for the columns of ${proposed} are not supported: write ${proposed}.column`);
  const update = cursor.accept('ON', 'DUPLICATE', 'KEY', 'UPDATE') ? readAssignments({ ...reading, proposed }, table) : undefined;
  if (ignore && update) cursor.refuse('INSERT IGNORE ... ON DUPLICATE KEY UPDATE is not supported: write one of the two');
  const conflict: Conflict | undefined = replace
    ? { action: 'replace' }
    : update
      ? { action: 'update', columns: [], set: update }
      : ignore
        ? { action: 'nothing', columns: [] }
        : undefined;
  const statement: Insert = { kind: 'insert', table, ...given, ...(conflict && { conflict }), ...readReturning(reading) };
  return { statement };
}

function readColumns({ cursor }: Reading): readonly string[] {
  if (!cursor.sees('(') || cursor.seesQuery()) return [];
  if (cursor.sees('(', ')')) cursor.refuse('INSERT without a column is not supported: give at least one column a value');
  return cursor.listed(() => cursor.name('column'));
}

function readRows(reading: Reading): Pick<Insert, 'rows' | 'query'> {
  const { cursor } = reading;
  if (!cursor.accept('VALUES') && !cursor.accept('VALUE')) {
    if (!cursor.seesAny(['SELECT', 'WITH', '('])) cursor.refuse(`${cursor.shown()} where VALUES, SET or SELECT is expected`);
    return { rows: [], query: reading.query(reading) };
  }
  const within: Reading = { ...reading, defaults: true };
  return {
    rows: cursor.several(() => {
      cursor.accept('ROW');
      return cursor.listed(() => readExpression(within));
    }),
  };
}

function readSetRow(reading: Reading): Pick<Insert, 'columns' | 'rows'> {
  const set = reading.cursor.several(() => readAssignment(reading));
  return { columns: set.map(({ column }) => column), rows: [set.map(({ value }) => value)] };
}

interface ReadAssignment extends Assignment {
  readonly table?: string;
  readonly at: number;
}

function readAssignment(reading: Reading): ReadAssignment {
  const { cursor } = reading;
  const at = cursor.offset;
  const first = cursor.name('column');
  const column = cursor.accept('.') ? cursor.name('column') : undefined;
  cursor.expect('=');
  const value = readExpression({ ...reading, defaults: true });
  return { ...(column !== undefined && { table: first }), column: column ?? first, value, at };
}

/** Reads the assignments of one table, which each of them may name. */
function readAssignments(reading: Reading, table: string): readonly Assignment[] {
  return reading.cursor
    .several(() => readAssignment(reading))
    .map(({ table: named, column, value, at }) => {
      if (named !== undefined && named.toLowerCase() !== table.toLowerCase())
        reading.cursor.refuse(`${named}.${column} is set in a statement that changes ${table}: a statement may change only one table`, at);
      return { column, value };
    });
}

function readReturning(reading: Reading): { readonly returning?: readonly SelectItem[] } {
  return reading.cursor.accept('RETURNING') ? { returning: readItems(reading) } : {};
}

export function readUpdate(reading: Reading): Unresolved {
  const { cursor } = reading;
  refuseModifiers(reading);
  if (cursor.sees('IGNORE')) cursor.refuse('UPDATE IGNORE skips rows that fail, so it is not supported: leave IGNORE out');
  const at = cursor.offset;
  const from = readFrom(reading);
  cursor.expect('SET');
  const set = cursor.several(() => readAssignment(reading));
  const where = cursor.accept('WHERE') ? readExpression(reading) : undefined;
  const parts = partsOf(from);
  const [first] = parts.factors;
  const name = parts.factors.length === 1 && first?.kind === 'table' ? first.alias : setTarget(reading, set);
  const changed = taken(reading, parts, name, at);
  for (const { table, column, at: place } of set)
    if (table !== undefined && !same(table, name))
      cursor.refuse(`${table}.${column} is set in a statement that changes ${name}: a statement may change only one table`, place);
  refuseOrder(reading, 'UPDATE');
  const condition = all([...changed.conditions, ...(where ? [where] : [])]);
  const statement: Update = {
    kind: 'update',
    table: changed.table,
    set: set.map(({ column, value }) => ({ column, value })),
    ...(changed.beside && { from: changed.beside }),
    ...(condition && { where: condition }),
    ...readReturning(reading),
  };
  return { statement, target: name };
}

export function readDelete(reading: Reading): Unresolved {
  const { cursor } = reading;
  refuseModifiers(reading);
  if (cursor.sees('IGNORE')) cursor.refuse('DELETE IGNORE skips rows that fail, so it is not supported: leave IGNORE out');
  return cursor.accept('FROM') ? deleteFrom(reading) : deleteOf(reading);
}

/** Reads DELETE FROM t [AS a] WHERE, and DELETE FROM t USING joins WHERE. */
function deleteFrom(reading: Reading): Unresolved {
  const { cursor } = reading;
  const at = cursor.offset;
  const table = readTable(reading);
  if (cursor.seesAny([',', '.'])) cursor.refuse('a DELETE from several tables is not supported', at);
  const alias = readAlias(reading);
  if (cursor.accept('USING')) return deleteJoined(reading, table, readFrom(reading), at);
  const where = cursor.accept('WHERE') ? readExpression(reading) : undefined;
  refuseOrder(reading, 'DELETE');
  const statement: Delete = { kind: 'delete', table, ...(where && { where }), ...readReturning(reading) };
  return { statement, target: alias ?? table };
}

/** Reads DELETE t FROM joins WHERE. */
function deleteOf(reading: Reading): Unresolved {
  const { cursor } = reading;
  const at = cursor.offset;
  const name = cursor.name('table');
  if (cursor.seesAny([',', '.'])) cursor.refuse('DELETE of the rows of several tables is not supported: write a DELETE for each table', at);
  cursor.expect('FROM');
  return deleteJoined(reading, name, readFrom(reading), at);
}

function deleteJoined(reading: Reading, name: string, from: From, at: number): Unresolved {
  const { cursor } = reading;
  const where = cursor.accept('WHERE') ? readExpression(reading) : undefined;
  refuseOrder(reading, 'DELETE');
  const changed = taken(reading, partsOf(from), name, at);
  const condition = all([...changed.conditions, ...(where ? [where] : [])]);
  return {
    statement: {
      kind: 'delete',
      table: changed.table,
      ...(changed.beside && { using: changed.beside }),
      ...(condition && { where: condition }),
    },
    target: name,
  };
}

function refuseOrder({ cursor }: Reading, verb: string): void {
  if (cursor.seesAny(['ORDER', 'LIMIT']))
    cursor.refuse(`${verb} ... ${cursor.sees('ORDER') ? 'ORDER BY' : 'LIMIT'}: the WHERE alone must determine which rows change`);
}

interface Parts {
  readonly factors: readonly From[];
  readonly conditions: readonly Expression[];
}

/** Splits the inner and cross joins of the first level. */
function partsOf(from: From): Parts {
  if (from.kind !== 'join' || from.type === 'left' || from.using !== undefined) return { factors: [from], conditions: [] };
  const left = partsOf(from.left);
  return { factors: [...left.factors, from.right], conditions: [...left.conditions, ...(from.on ? [from.on] : [])] };
}

function setTarget({ cursor }: Reading, set: readonly ReadAssignment[]): string {
  const named = set.map(({ table }) => table);
  const unnamed = set.find(({ table }) => table === undefined);
  if (unnamed !== undefined)
    cursor.refuse(`${unnamed.column} is set in an UPDATE of several tables: write the table's name or alias in front of it`, unnamed.at);
  return named[0]!;
}

interface Taken {
  readonly table: string;
  readonly beside?: From;
  readonly conditions: readonly Expression[];
}

/** The table that changes, and the others, joined with one another. */
function taken({ cursor }: Reading, { factors, conditions }: Parts, name: string, at: number): Taken {
  const changed = factors.find((factor) => factor.kind === 'table' && same(factor.alias, name));
  if (changed?.kind !== 'table') {
    const inside = factors.some((factor) => leavesOf(factor).some((leaf) => same(leaf.alias, name)));
    return cursor.refuse(
      inside
        ? `the table ${name} changes and is joined by LEFT JOIN, USING, NATURAL or in parentheses: write an inner join with ON`
        : `${name || 'what changes'} is none of the tables joined`,
      at,
    );
  }
  const others = factors.filter((factor) => factor !== changed);
  if (others.some((factor) => leavesOf(factor).some((leaf) => leaf.kind === 'derived' && leaf.lateral)))
    cursor.refuse('LATERAL beside the table that changes is not supported: write the query as a subquery in the WHERE', at);
  const beside = others.length === 0 ? undefined : others.reduce((left, right): From => ({ kind: 'join', type: 'cross', left, right }));
  return { table: changed.table, ...(beside && { beside }), conditions };
}

function all(conditions: readonly Expression[]): Expression | undefined {
  return conditions.length <= 1 ? conditions[0] : { kind: 'logic', op: 'and', operands: conditions };
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
