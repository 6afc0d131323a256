/**
 * Finds the rows for which a subquery is evaluated: the candidates of the query around it. A candidate is a combination
 * of the FROM's rows that satisfies the join conditions and the conditions of the WHERE without subqueries
 * (docs/EXACT-READS.md). Under OR, AND and CASE, only candidates count for which the operands without subqueries leave
 * the answer open.
 *
 * The FROM may consist of tables, and of views and derived tables that show rows of a table or of a join. They may omit
 * rows and merge equal ones. A LEFT JOIN counts with the combinations that found a partner: each of them is a candidate,
 * and one is enough.
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

/** A table of the query around a subquery, with its alias in `where`. */
export interface CandidateLeaf {
  readonly table: string;
  readonly alias: string;
  /** Equal rows are merged: one may stand for the others. */
  readonly merged?: true;
}

export interface Candidates {
  readonly leaves: readonly CandidateLeaf[];
  /** The condition that a candidate satisfies. Columns of the tables are named by the leaves' aliases. */
  readonly where?: Expression;
  /** Maps a column as the query names it to the table's column. */
  readonly columnOf: (column: ColumnExpression) => ColumnExpression | undefined;
  /** The aliases that a subquery may name. */
  readonly named: ReadonlySet<string>;
  /** There may be further candidates: rows of a LEFT JOIN that found no partner. */
  readonly more?: true;
  /** Only those candidates count whose row of the first leaf the statement wrote, because its other conditions were true too. */
  readonly written?: true;
}

/** The subquery is evaluated once, whatever the data. */
export const EVERYTHING = 'everything';
/** Undefined: the subquery is evaluated for some rows that are not modelled. */
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
 * Finds the table rows from which a view or a derived table makes its rows. It selects combinations of them and merges
 * those that are equal (DISTINCT) or have an equal key (GROUP BY, if the key is shown). Undefined if it may show no row
 * for a combination, or a row without any combination.
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

/** Calls back with each subquery in the expression itself, and with the candidates for which it is evaluated. */
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
    // If several operands hold subqueries, any of them may decide, and the server then leaves the others unread.
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
  // With two subqueries, one may leave the other unread. A NULL that is compared with a subquery may do so too. A literal
  // NULL may decide before there is any row: PostgreSQL folds `(SELECT ...) = NULL` away.
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

/** Returns the operand that is evaluated first. If it is NULL, the answer is known without the subquery behind it. */
function comparedWith(expression: Expression): Expression | undefined {
  if (expression.kind === 'compare') return expression.left;
  return expression.kind === 'quantified' || expression.kind === 'inQuery' ? expression.operand : undefined;
}

/**
 * True if the subquery stands in the first argument of a function. COALESCE and NULLIF may leave other arguments unread,
 * but never the first.
 */
function isFirstArgument(expression: Expression): boolean {
  return expression.kind === 'call' && expression.args[0] !== undefined && hasSubquery(expression.args[0]);
}

function holdsNull(expression: Expression): boolean {
  return expression.kind === 'literal' ? expression.value === null : partsOfExpression(expression).expressions.some(holdsNull);
}

/** A subquery that becomes a join: rows with a NULL may then not be looked up at all (a merge join of PostgreSQL). */
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

/** True if the condition is false or unknown. */
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

/** Undefined if the left side is a join: which of its tables has the column is not modelled. */
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
