/**
 * Finds the rows for which a subquery can have been evaluated. They are combinations of known row versions that are
 * candidates of the query around it, grouped by the values that the subquery names. Which of these versions the statement
 * saw is decided in infer.
 */
import { columnsOf } from '../../core/index.ts';
import type {
  ColumnExpression,
  ColumnType,
  Connection,
  Dialect,
  Expression,
  From,
  ProbedCase,
  Select,
  TypeKind,
  Value,
  RowCombinations,
} from '../../core/index.ts';
import type { Candidates } from './candidates.ts';
import { NUMBER_COLUMN } from './number-column.ts';
import type { PredicateRead } from './predicate-read.ts';
import { valueOfText } from './images.ts';
import type { VersionImage } from './images.ts';

/** Largest number of combinations, so low that the server does not begin to compile the query. */
const MOST_COMBINATIONS = 20_000;
const MOST_ROWS = 1000;
/** Largest number of different values of the outer columns, and so of reads. */
const MOST_VALUES = 100;
/** Kinds of values that a collation may take for equal. A merged row then shows one of several texts. */
const TEXTS: ReadonlySet<TypeKind> = new Set(['text', 'varchar']);

export interface CombinationSetup {
  readonly probedCase: ProbedCase;
  readonly dialect: Dialect;
  readonly connection: Connection;
  /** The namespace with the scratch tables. */
  readonly namespace: string;
}

export interface OuterRows {
  /** Literals for `outer`. */
  readonly values: readonly Expression[];
  readonly when: RowCombinations;
}

/**
 * Returns how many states of a leaf's version, given by its number, are in the scratch table. Undefined if some states
 * are missing that decide about candidates.
 */
type StatesIn = (leaf: Candidates['leaves'][number], n: number) => number | undefined;

/**
 * Returns the combinations, or the reason why there are none, in words. `whole`: if the statement saw only known
 * versions, its combination is among these. `others`: values that no version has in all of its states. With them, at
 * least all values are complete.
 */
export async function outerRowCombinations(
  { probedCase, dialect, connection, namespace }: CombinationSetup,
  { within, outer = [] }: PredicateRead,
  images: ReadonlyMap<string, readonly VersionImage[]>,
  statesIn: StatesIn,
): Promise<{ readonly outerRows: readonly OuterRows[]; readonly whole: boolean; readonly others?: readonly OuterRows[] } | string> {
  const around = within as Candidates;
  const { leaves, where, columnOf } = around;
  const combinations = leaves.reduce((product, { table }) => product * (images.get(table)?.length ?? Infinity), 1);
  if (combinations > MOST_COMBINATIONS) return `more than ${MOST_COMBINATIONS} combinations of versions in the query around it`;
  const columns = outer.map(columnOf);
  const types = typesOf(probedCase, around, columns);
  if (typeof types === 'string') return types;
  const from = leaves
    .map(({ table, alias }): From => ({ kind: 'table', table, alias }))
    .reduce((left, right) => ({ kind: 'join', type: 'cross', left, right }));
  const numbers = leaves.map(({ alias }): Expression => ({ kind: 'column', table: alias, column: NUMBER_COLUMN }));
  const select: Select = {
    kind: 'select',
    items: [...numbers, ...columns.map((column) => column!)].map((expression, i) => ({ expression, alias: `c${i}` })),
    from,
    ...(where && { where }),
    limit: MOST_ROWS,
  };
  let rows;
  try {
    rows = (await connection.query(dialect.print(select, namespace))).rows;
  } catch {
    return 'what it is read for fails on some version';
  }
  let whole = rows.length < MOST_ROWS;
  const known = whole && leaves.every((leaf) => images.get(leaf.table)!.every((_, n) => statesIn(leaf, n) !== undefined));
  const combined = rows.map((row) => ({
    versions: leaves.map((_, i) => Number(row[i])),
    values: types.map((type, i) => valueOfText(type, row[leaves.length + i] ?? null)),
  }));
  const byValues = new Map<string, { readonly values: readonly Value[]; readonly versions: number[] }>();
  for (const { values, versions, count } of alike(combined)) {
    const all = versions.reduce((product, n, i) => product * (statesIn(leaves[i]!, n) ?? Infinity), 1);
    const key = JSON.stringify(values);
    let group = byValues.get(key);
    if (group === undefined) byValues.set(key, (group = { values, versions: [] }));
    if (count === all) group.versions.push(...versions);
    else whole = false;
  }
  const certain = [...byValues.values()].filter(({ versions }) => versions.length > 0).length;
  if (certain > MOST_VALUES) return `more than ${MOST_VALUES} different rows in the query around it`;
  const tables = leaves.map(({ table }) => table);
  const all = [...byValues.values()].map(({ values, versions }) => ({
    values: values.map((value, i): Expression => ({ kind: 'literal', type: types[i]!.kind, value })),
    when: { tables, versions },
  }));
  const isOther = ({ when }: OuterRows): boolean => when.versions.length === 0;
  const outerRows = all.filter((each) => !isOther(each));
  return { outerRows, whole, ...(known && all.length <= MOST_VALUES && { others: all.filter(isOther) }) };
}

/** Returns the types of these columns of the leaves, or in words why some of their values are unknown. */
function typesOf(
  { schema }: ProbedCase,
  { leaves, where }: Candidates,
  columns: readonly (ColumnExpression | undefined)[],
): readonly ColumnType[] | string {
  const typeOf = (column: ColumnExpression | undefined): ColumnType | undefined => {
    const table = leaves.find(({ alias }) => alias === column?.table)?.table;
    return schema.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column?.column)?.type;
  };
  const types = columns.map(typeOf).filter((type) => type !== undefined);
  if (types.length < columns.length) return 'it names what is no column of a table';
  const merged = new Set(leaves.filter((leaf) => leaf.merged === true).map(({ alias }) => alias));
  const isText = (column: ColumnExpression | undefined): boolean => TEXTS.has(typeOf(column)?.kind ?? 'text');
  if ([...columns, ...(where === undefined ? [] : columnsOf(where))].some((column) => merged.has(column?.table ?? '') && isText(column)))
    return 'it names a text of rows that are made one';
  return types;
}

interface Combination {
  readonly values: readonly Value[];
  readonly versions: readonly number[];
}

/** Groups rows of the same versions and values. `count` is the number of states of these versions that give the values. */
function alike(combined: readonly Combination[]): readonly (Combination & { readonly count: number })[] {
  const groups = new Map<string, Combination & { count: number }>();
  for (const { versions, values } of combined) {
    const key = JSON.stringify([versions, values]);
    const same = groups.get(key);
    if (same === undefined) groups.set(key, { values, versions, count: 1 });
    else same.count++;
  }
  return [...groups.values()];
}
