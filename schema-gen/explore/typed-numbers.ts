/**
 * Fixtures whose column g, or whose key too, is no integer. Forms use numbers. A number that meets such a column becomes
 * a value of its type here. The order of the numbers stays, but for texts. Booleans are left out: MySQL shows them as
 * numbers, and a first row is compared as text.
 */
import { InternalError } from '../../core/base/index.ts';
import { contentsOf, isWrite, mapStatement } from '../../core/sql/index.ts';
import type { ColumnType, Expression, MergeBranch, Query, Statement, Table, TypeKind, Value } from '../../core/sql/index.ts';

/** The first characters of every text are the same, so that an index over these alone tells no two rows apart. */
export const TEXT_BEGINS = 'row-';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2001, 0, 1);

interface NumberType {
  readonly type: ColumnType;
  readonly valueOf: (number: number) => Value;
}

export type NumberKind = Exclude<TypeKind, 'integer' | 'timestamp' | 'boolean'>;

/** The types that a column of a fixture may have beside integer. */
const TYPES: Readonly<Record<NumberKind, NumberType>> = {
  text: { type: { kind: 'text' }, valueOf: (number) => `${TEXT_BEGINS}${number}` },
  varchar: { type: { kind: 'varchar', length: 20 }, valueOf: (number) => `${TEXT_BEGINS}${number}` },
  date: { type: { kind: 'date' }, valueOf: (number) => new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10) },
  decimal: { type: { kind: 'decimal', precision: 8, scale: 2 }, valueOf: (number) => `${number}.00` },
  bigint: { type: { kind: 'bigint' }, valueOf: String },
};

const isNumberKind = (kind: TypeKind): kind is NumberKind => kind in TYPES;
export const typeOfNumbers = (kind: NumberKind): ColumnType => TYPES[kind].type;
const typedNumber = (kind: NumberKind, number: number): Value => TYPES[kind].valueOf(number);
/** Returns the number as a column of this type holds it. */
export const valueIn = ({ kind }: ColumnType, number: number): Value => (isNumberKind(kind) ? typedNumber(kind, number) : number);

type TypedColumns = ReadonlyMap<string, NumberKind>;
/** Maps a table, or an alias of it, to its columns that are no integers. */
type TypedTables = ReadonlyMap<string, TypedColumns>;

export function withTypes(statement: Statement, tables: readonly Table[]): Statement {
  const typed: TypedTables = new Map(
    tables.flatMap(({ name, columns }) => {
      const own = columns.flatMap((column) => (isNumberKind(column.type.kind) ? [[column.name, column.type.kind] as const] : []));
      return own.length === 0 ? [] : [[name, new Map(own)] as const];
    }),
  );
  if (typed.size === 0) return statement;
  const named: TypedTables = new Map([
    ...typed,
    ...contentsOf(statement).leaves.flatMap((leaf) => {
      const own = leaf.kind === 'table' ? typed.get(leaf.table) : undefined;
      return own === undefined ? [] : [[leaf.alias, own] as const];
    }),
  ]);
  return written(mapStatement(statement, { expression: (each) => compared(each, named) }), typed);
}

/** Each number beside such a column becomes a value of its type. Two such columns need no change. */
function compared(each: Expression, typed: TypedTables): Expression {
  const kindOf = (part: Expression): NumberKind | undefined =>
    part.kind === 'column' ? typed.get(part.table)?.get(part.column) : undefined;
  if (each.kind === 'compare') {
    const [left, right] = [kindOf(each.left), kindOf(each.right)];
    if ((left === undefined) === (right === undefined)) return each;
    return left !== undefined ? { ...each, right: asTyped(left, each.right) } : { ...each, left: asTyped(right!, each.left) };
  }
  if (each.kind !== 'in' && each.kind !== 'between') return each;
  const kind = kindOf(each.operand);
  if (kind === undefined) return each;
  if (each.kind === 'in') return { ...each, list: each.list.map((value) => asTyped(kind, value)) };
  return { ...each, low: asTyped(kind, each.low), high: asTyped(kind, each.high) };
}

function written<S extends Statement>(statement: S, typed: TypedTables): S;
function written(statement: Statement, typed: TypedTables): Statement {
  if (statement.kind === 'withWrites') {
    const writes = statement.writes.map((each) => ({ ...each, write: written(each.write, typed) }));
    return { ...statement, writes, last: written(statement.last, typed) };
  }
  const own = 'table' in statement ? typed.get(statement.table) : undefined;
  if (own === undefined) return statement;
  if (statement.kind === 'merge') return { ...statement, branches: statement.branches.map((branch) => filled(branch, own)) };
  if (!isWrite(statement) || statement.kind === 'delete') return statement;
  if (statement.kind === 'update') return { ...statement, set: statement.set.map((each) => ({ ...each, ...typedIn(own, each) })) };
  const { columns, query } = statement;
  return {
    ...statement,
    rows: statement.rows.map((row) => typedValues(own, columns, row)),
    ...(query && { query: selected(query, own, columns) }),
  };
}

function filled(branch: MergeBranch, own: TypedColumns): MergeBranch {
  const { set, columns, values } = branch;
  return {
    ...branch,
    ...(set && { set: set.map((each) => ({ ...each, ...typedIn(own, each) })) }),
    ...(columns && values && { values: typedValues(own, columns, values) }),
  };
}

function typedIn(own: TypedColumns, { column, value }: { readonly column: string; readonly value: Expression }): { value: Expression } {
  const kind = own.get(column);
  return { value: kind === undefined ? value : asTyped(kind, value) };
}

function typedValues(own: TypedColumns, columns: readonly string[], values: readonly Expression[]): readonly Expression[] {
  return values.map((value, c) => typedIn(own, { column: columns[c]!, value }).value);
}

function selected(query: Query, own: TypedColumns, columns: readonly string[]): Query {
  if (query.kind !== 'select')
    throw new InternalError('a form inserts rows that come from no plain SELECT, so no typed values can be made of them');
  return {
    ...query,
    items: query.items.map((item, i) => ({ ...item, expression: typedIn(own, { column: columns[i]!, value: item.expression }).value })),
  };
}

function asTyped(kind: NumberKind, value: Expression): Expression {
  if (value.kind !== 'literal')
    throw new InternalError(`a form compares or fills a ${kind} with a ${value.kind}: it does not fit this fixture`);
  return { kind: 'literal', type: kind, value: typeof value.value === 'number' ? typedNumber(kind, value.value) : value.value };
}
