/**
 * For which rows a subquery is run: the candidates of the query around it, which are the combinations of its FROM that
 * satisfy its join conditions and the conditions of its WHERE without subqueries (docs/EXACT-READS.md). Under OR, AND and
 * CASE only those for which the operands without subqueries leave the answer open.
 *
 * Told where the FROM is made of tables, and of views and derived tables whose rows are those of tables, or of a join of
 * tables, some of them left out and equal ones made one. A LEFT JOIN counts with the combinations that found a partner: every one of them is a candidate, and one is enough.
 */
import {
  conjunction,
  conjunctsOf,
  hasSubquery,
  isEvaluatedWhole,
  isGrouped,
  joinConditions,
  leavesOf,
  partsOfExpression,
} from '../../core/index.ts';
import type { Capabilities, ColumnExpression, Expression, From, Leaf, Query } from '../../core/index.ts';
import { withColumns } from './conditions.ts';

/** A table of the query around a subquery, by the alias that it has in `where`. */
export interface CandidateLeaf {
  readonly table: string;
  readonly alias: string;
  /** Of rows that are equal one may stand for the others. */
  readonly merged?: true;
}

export interface Candidates {
  readonly leaves: readonly CandidateLeaf[];
  /** What a combination of rows of the leaves satisfies; its columns are those of the tables, by the aliases. */
  readonly where?: Expression;
  /** Columns as the query names them -> as the tables have them. */
  readonly columnOf: (column: ColumnExpression) => ColumnExpression | undefined;
  /** The aliases that a subquery may name. */
  readonly named: ReadonlySet<string>;
  /** There may be others, too: a row of a LEFT JOIN that found no partner. */
  readonly more?: true;
  /** Of the candidates those alone whose row of the first leaf the statement wrote: its other conditions were true too. */
  readonly written?: true;
}

/** Run once, whatever the data. */
export const EVERYTHING = 'everything';
/** Undefined: run for some rows that are not told. */
export type Place = Candidates | typeof EVERYTHING | undefined;

export function candidatesOf(
  from: From,
  where: Expression | undefined,
  queryOf: (leaf: Exclude<Leaf, { kind: 'table' }>) => Query | undefined,
): Candidates | undefined {
  const leaves: CandidateLeaf[] = [];
  const conditions: Expression[] = [];
  let more = hasLeftJoin(from);
  const columns = new Map<string, ReadonlyMap<string, ColumnExpression>>();
  for (const leaf of leavesOf(from)) {
    if (leaf.kind === 'table') {
      leaves.push({ table: leaf.table, alias: leaf.alias });
      continue;
    }
    const rows = leaf.kind === 'derived' && leaf.lateral === true ? undefined : rowsShown(queryOf(leaf), leaf.alias);
    if (rows === undefined) return undefined;
    columns.set(leaf.alias, rows.columns);
    leaves.push(...rows.leaves);
    more ||= rows.more;
    if (rows.where !== undefined) conditions.push(rows.where);
  }
  if (new Set(leaves.map(({ alias }) => alias)).size < leaves.length) return undefined;
  const columnOf = (column: ColumnExpression): ColumnExpression | undefined => {
    const shown = columns.get(column.table);
    return shown === undefined ? column : shown.get(column.column);
  };
  const using = usingConditions(from);
  if (using === undefined) return undefined;
  const plain = [...using, ...joinConditions(from), ...conjunctsOf(where)];
  const told = plain.filter((each) => !hasSubquery(each)).map((each) => withColumns(each, columnOf));
  if (joinConditions(from).some(hasSubquery) || told.includes(undefined)) return undefined;
  return {
    leaves,
    ...allOf([...conditions, ...told.filter((each) => each !== undefined)]),
    columnOf,
    named: new Set(leavesOf(from).map(({ alias }) => alias)),
    ...(more && { more }),
  };
}

interface RowsShown {
  readonly leaves: readonly CandidateLeaf[];
  readonly where?: Expression;
  readonly columns: ReadonlyMap<string, ColumnExpression>;
  readonly more: boolean;
}

/**
 * Of which rows of tables a view or a derived table has one of its own: it chooses among their combinations, and makes one of
 * those that are equal (DISTINCT) or have an equal key (GROUP BY, of which it shows the key). Undefined where it may show none,
 * or one although there is no row.
 */
function rowsShown(query: Query | undefined, alias: string): RowsShown | undefined {
  if (query?.kind !== 'select' || hasSubquery(query.where)) return undefined;
  const { with: named, having, rollup, limit, lock } = query;
  if ([named, having, rollup, limit, lock].some((each) => each !== undefined && each !== false)) return undefined;
  const of = candidatesOf(query.from, query.where, () => undefined);
  if (of === undefined) return undefined;
  const merged = query.distinct === true || query.groupBy !== undefined;
  if (isGrouped(query) && query.groupBy === undefined) return undefined;
  const aliases = new Map(of.leaves.map((leaf) => [leaf.alias, of.leaves.length === 1 ? alias : `${alias}_${leaf.alias}`]));
  const moved = (column: ColumnExpression): ColumnExpression => ({ ...column, table: aliases.get(column.table) ?? column.table });
  const keys = query.groupBy?.map((each) => JSON.stringify(each));
  const columns = new Map<string, ColumnExpression>();
  for (const { expression, alias: name } of query.items)
    if (expression.kind === 'column' && keys?.includes(JSON.stringify(expression)) !== false) columns.set(name, moved(expression));
  return {
    leaves: of.leaves.map(({ table, alias: own }) => ({ table, alias: aliases.get(own)!, ...(merged && { merged }) })),
    ...allOf(conjunctsOf(of.where).map((each) => withColumns(each, moved)!)),
    columns,
    more: of.more === true,
  };
}

/** Calls back with each subquery that stands in the expression itself, and for which of the candidates it is run. */
export function followSubqueries(
  expression: Expression,
  place: Place,
  sight: Pick<Capabilities, 'readsBehindNull'>,
  found: (query: Query, place: Place) => void,
): void {
  if (!hasSubquery(expression)) return;
  const go = (each: Expression, at: Place): void => followSubqueries(each, at, sight, found);
  if (expression.kind === 'logic') {
    const plain = expression.operands.filter((each) => !hasSubquery(each));
    const open = expression.op === 'or' ? plain.map(isNotTrue) : plain.map((each) => isNotTrue({ kind: 'not', operand: each }));
    // Of several subqueries any may decide, and the server then leaves the others unread.
    const narrowed = plain.length < expression.operands.length - 1 ? undefined : narrow(place, open);
    for (const each of expression.operands) go(each, narrowed);
    return;
  }
  if (expression.kind === 'case') {
    const decided = !hasSubquery(expression.when);
    go(expression.when, place);
    go(expression.then, decided ? narrow(place, [expression.when]) : undefined);
    go(expression.otherwise, decided ? narrow(place, [isNotTrue(expression.when)]) : undefined);
    return;
  }
  const { expressions, queries } = partsOfExpression(expression);
  // Of two subqueries the one may leave the other unread; so may a NULL that a subquery is compared with, and a NULL that is
  // written down may decide before there is any row (PostgreSQL folds `(SELECT ...) = NULL` away).
  const alone =
    expressions.filter(hasSubquery).length + queries.length === 1 && !expressions.some((each) => !hasSubquery(each) && holdsNull(each));
  const read = (isEvaluatedWhole(expression) || isFirstArgument(expression)) && alone ? place : undefined;
  const left = sight.readsBehindNull && !mayBecomeJoin(expression) ? undefined : comparedWith(expression);
  const whole =
    left === undefined || hasSubquery(left) || left.kind === 'literal'
      ? read
      : narrow(read, [{ kind: 'isNull', operand: left, negated: true }]);
  for (const each of expressions) go(each, whole);
  for (const query of queries) found(query, whole);
}

/** What comes first: where it is NULL, the answer is known before the subquery behind it is looked at. */
function comparedWith(expression: Expression): Expression | undefined {
  if (expression.kind === 'compare') return expression.left;
  return expression.kind === 'quantified' || expression.kind === 'inQuery' ? expression.operand : undefined;
}

/** It stands in the first argument of a function: COALESCE and NULLIF may leave the others alone, none of them this one. */
function isFirstArgument(expression: Expression): boolean {
  return expression.kind === 'call' && expression.args[0] !== undefined && hasSubquery(expression.args[0]);
}

function holdsNull(expression: Expression): boolean {
  return expression.kind === 'literal' ? expression.value === null : partsOfExpression(expression).expressions.some(holdsNull);
}

/** Then rows with a NULL may look for no partner at all (a merge join of PostgreSQL). */
function mayBecomeJoin(expression: Expression): boolean {
  return (
    (expression.kind === 'inQuery' && !expression.negated) ||
    (expression.kind === 'quantified' && expression.quantifier === 'any' && expression.op === '=')
  );
}

function narrow(place: Place, conditions: readonly Expression[]): Place {
  if (place === undefined || conditions.length === 0) return place;
  if (place === EVERYTHING) return undefined;
  const more = conditions.map((each) => withColumns(each, place.columnOf));
  if (more.includes(undefined)) return undefined;
  return { ...place, ...allOf([...conjunctsOf(place.where), ...more.filter((each) => each !== undefined)]) };
}

/** False or unknown. */
function isNotTrue(condition: Expression): Expression {
  const known: Expression = { kind: 'call', name: 'coalesce', args: [condition, { kind: 'literal', type: 'boolean', value: false }] };
  return { kind: 'not', operand: known };
}

function allOf(operands: readonly Expression[]): { readonly where?: Expression } {
  const where = conjunction(operands);
  return where === undefined ? {} : { where };
}

function hasLeftJoin(from: From): boolean {
  return from.kind === 'join' && (from.type === 'left' || hasLeftJoin(from.left) || hasLeftJoin(from.right));
}

/** Undefined where the left side is a join: which of its tables has the column is not told. */
function usingConditions(from: From): readonly Expression[] | undefined {
  if (from.kind !== 'join') return [];
  const { left, right, using } = from;
  const [before, after] = [usingConditions(left), usingConditions(right)];
  if (before === undefined || after === undefined || (using !== undefined && (left.kind === 'join' || right.kind === 'join')))
    return undefined;
  if (using === undefined || left.kind === 'join' || right.kind === 'join') return [...before, ...after];
  return using.map((name) => ({
    kind: 'compare',
    op: '=',
    left: { kind: 'column', table: left.alias, column: name },
    right: { kind: 'column', table: right.alias, column: name },
  }));
}
