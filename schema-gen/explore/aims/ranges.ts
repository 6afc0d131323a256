/**
 * Finds rows that one transaction writes and another one asks for by a range: `starts_at < :to AND ends_at > :from`.
 * The texts show the tables and columns. With values it computes whether a written row fulfils the other one's
 * conditions.
 */
import {
  conjunctsOf,
  contentsOf,
  contentsOfExpressions,
  endsCompared,
  isWrite,
  joinConditions,
  leavesOf,
  loosely,
  mapExpression,
  readValue,
  truthOf,
  whyUndecided,
} from '../../../core/index.ts';
import type { Expression, Leaf, ResultRow, Schema, Statement, Table, WriteStatement } from '../../../core/index.ts';
import { namesIn } from './names-in.ts';
import type { Reach } from './reach.ts';

/** The rows of a table that a statement asks for, some columns by a range. */
export interface Asked {
  readonly table: string;
  /** The columns in the order of their names. */
  readonly columns: readonly string[];
  /** Conditions on columns of this table alone, each with all of them. */
  readonly conditions: readonly Expression[];
  /** The parameters in its ranges. A statement with its values has none. */
  readonly names: readonly string[];
}

/** The number of rows that are examined if no key names the written row. */
const MOST_ROWS = 300;
const RANGES = new Set(['<', '<=', '>', '>=']);

export function askedOf(statement: Statement): readonly Asked[] {
  const selects = contentsOf(statement).queries.flatMap((query) => (query.kind === 'select' ? [query] : []));
  return [
    ...selects.flatMap(({ from, where }) =>
      askedAmong(leavesOf(from), [...conjunctsOf(where), ...joinConditions(from).flatMap(conjunctsOf)]),
    ),
    ...writesIn(statement).flatMap((write) => {
      if (write.kind !== 'update' && write.kind !== 'delete') return [];
      return askedAmong([{ kind: 'table', table: write.table, alias: write.table }], conjunctsOf(write.where));
    }),
  ];
}

function askedAmong(leaves: readonly Leaf[], conjuncts: readonly Expression[]): readonly Asked[] {
  return leaves.flatMap((leaf): readonly Asked[] => {
    if (leaf.kind !== 'table') return [];
    const conditions = conjuncts.filter((each) => isOf(leaf.alias, each)).map(asComparisons);
    const ranges = conditions.flatMap(rangesIn);
    const columns = [...new Set(ranges.flatMap(columnsIn))].toSorted();
    return columns.length === 0
      ? []
      : [{ table: leaf.table, columns, conditions, names: [...new Set(ranges.flatMap((each) => namesIn([each])))] }];
  });
}

export function withoutRanges(asked: Asked): Asked {
  return { ...asked, conditions: asked.conditions.filter((each) => rangesIn(each).length === 0) };
}

/** Turns overlapping spans into plain comparisons of their ends, which is precise enough for an aim. */
function asComparisons(condition: Expression): Expression {
  return mapExpression(condition, { expression: (each) => (each.kind === 'overlaps' ? endsCompared(each) : each) });
}

function isOf(alias: string, condition: Expression): boolean {
  const { expressions, queries } = contentsOfExpressions([condition]);
  const tables = expressions.flatMap((part) => (part.kind === 'column' ? [part.table] : []));
  return queries.length === 0 && tables.length > 0 && tables.every((table) => table === alias);
}

function rangesIn(condition: Expression): readonly Expression[] {
  return contentsOfExpressions([condition]).expressions.filter(
    (each) => (each.kind === 'between' || (each.kind === 'compare' && RANGES.has(each.op))) && columnsIn(each).length > 0,
  );
}

function columnsIn(expression: Expression): readonly string[] {
  return contentsOfExpressions([expression]).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : []));
}

export function writesIn(statement: Statement): readonly WriteStatement[] {
  if (isWrite(statement)) return [statement];
  if (statement.kind !== 'withWrites') return [];
  return [...statement.writes.map(({ write }) => write), ...(isWrite(statement.last) ? [statement.last] : [])];
}

/** Tells whether a row that it writes may enter the asked range, or leave it. */
export function touches(write: WriteStatement, { table, columns }: Asked): boolean {
  return write.table === table && (write.kind !== 'update' || write.set.some(({ column }) => columns.includes(column)));
}

/**
 * For a statement with its values, tells whether a row that it writes, before or after, fulfils all conditions. Open
 * conditions count as fulfilled.
 */
export function fulfils(write: WriteStatement, asked: Asked, schema: Schema, reach: Reach): boolean {
  const table = schema.tables.find(({ name }) => name === asked.table)!;
  return imagesOf(write, table, reach).some((image) => asked.conditions.every((condition) => holds(condition, image)));
}

/** The values by column. An absent column is not known. */
type Image = ReadonlyMap<string, Expression>;

function imagesOf(write: WriteStatement, table: Table, reach: Reach): readonly Image[] {
  if (write.kind === 'insert')
    return write.query === undefined
      ? write.rows.map(
          (row) => new Map(row.flatMap((value, place) => (write.columns[place] === undefined ? [] : [[write.columns[place], value]]))),
        )
      : [new Map()];
  if (write.kind !== 'update' && write.kind !== 'delete') return [new Map()];
  const conditions = conjunctsOf(write.where).filter((each) => isOf(write.table, each));
  const before = rowsFor(conditions, table, reach)
    .map((row) => imageOf(row, table))
    .filter((image) => conditions.every((condition) => holds(condition, image)));
  if (write.kind === 'delete') return before;
  const after = before.map(
    (image) => new Map([...image, ...write.set.map(({ column, value }) => [column, filled(value, image)] as const)]),
  );
  return [...before, ...after];
}

/** Returns the rows that an equality names, else the first ones. */
function rowsFor(conditions: readonly Expression[], table: Table, reach: Reach): readonly ResultRow[] {
  for (const each of conditions) {
    if (each.kind !== 'compare' || each.op !== '=' || each.left.kind !== 'column' || each.right.kind !== 'literal') continue;
    const { column } = each.left;
    return reach.rowsBy(
      table,
      table.columns.findIndex(({ name }) => name === column),
      loosely(each.right.value ?? ''),
    );
  }
  return (reach.state[table.name] ?? []).slice(0, MOST_ROWS);
}

function imageOf(row: ResultRow, { columns }: Table): Image {
  return new Map(
    columns.flatMap(({ name, type }, place) => {
      const text = row[place] ?? null;
      const value = text === null ? null : readValue(type.kind, text);
      return value === undefined ? [] : [[name, { kind: 'literal', type: type.kind, value }] as const];
    }),
  );
}

function filled(expression: Expression, image: Image): Expression {
  return mapExpression(expression, { expression: (each) => (each.kind === 'column' ? (image.get(each.column) ?? each) : each) });
}

function holds(condition: Expression, image: Image): boolean {
  const known = filled(condition, image);
  return namesIn([known]).length > 0 || whyUndecided(known) !== undefined || truthOf(known) === true;
}
