/**
 * Builds a statement that captures, where it reads them, the rows that it reads beside those it writes. Each SELECT in
 * it gets a last condition that is true and appends the rows of its FROM to the session's variable. Exactly the rows
 * that the server read and that satisfied FROM and WHERE are shown. Nothing is evaluated twice on another snapshot, and
 * no row is locked that the statement does not lock.
 *
 * Engines order conditions as they like, also before those that bind the tables of a join. The capture therefore names
 * every leaf of the FROM, and repeats the whole WHERE and the join conditions before it appends.
 *
 * A query behind EXISTS, IN, ANY or ALL may end at the first row that decides it. The rows read until then are shown,
 * and the statement is `partial`.
 */
import {
  READS_COLUMN,
  RID_COLUMN,
  besideArray,
  conjunction,
  conjunctsOf,
  contentsOfExpressions,
  hasSubquery,
  isCorrelated,
  isGrouped,
  itemsOf,
  leavesOf,
  mapParts,
  versionItems,
} from '../../core/index.ts';
import type { CompareOp, Cte, Expression, From, Leaf, Query, Select } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';
import { column, text } from '../expressions.ts';
import { isNotFalse, isNotTrue } from './subquery-sites.ts';

export interface Capturing {
  readonly views: Views;
  /** The reasons why some reads are not shown. */
  readonly reasons: string[];
  /** The WITH queries around it. */
  readonly ctes?: readonly Cte[];
  /** As in Capture: a subquery that the server turns into a join cannot capture. */
  readonly flattens: boolean;
  /** Conditions of the outer queries without which its value cannot matter, although a server may have evaluated it. */
  readonly outer?: readonly Expression[];
}

/** Returns the expression with subqueries that capture. */
export function capturingExpression(expression: Expression, to: Capturing): Expression {
  if (!hasSubquery(expression)) return expression;
  if (expression.kind === 'case') {
    const { when, then, otherwise } = expression;
    return {
      ...expression,
      when: capturingExpression(when, to),
      // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
      then: capturingExpression(then, within(to, [when])),
      otherwise: capturingExpression(otherwise, within(to, [isNotTrue(when)])),
    };
  }
  if (expression.kind === 'logic') {
    const open = expression.operands.filter((operand) => !hasSubquery(operand)).map(expression.op === 'and' ? isNotFalse : isNotTrue);
    return { ...expression, operands: expression.operands.map((operand) => capturingExpression(operand, within(to, open))) };
  }
  return mapped(expression, to);
}

/**
 * Returns the conjuncts of a WHERE. The reads of their subqueries count only for rows that satisfy the conjuncts
 * without subqueries.
 */
export function capturingConjuncts(
  where: Expression | undefined,
  to: Capturing,
  joined: readonly Expression[] = [],
): readonly Expression[] {
  const conjuncts = conjunctsOf(where);
  const candidate = within(
    to,
    [...joined, ...conjuncts].filter((each) => !hasSubquery(each)),
  );
  return conjuncts.map((each) => {
    if (!to.flattens || !maybeFlattened(each)) return capturingExpression(each, candidate);
    to.reasons.push('EXISTS or IN in a WHERE may be turned into a join, which cannot capture');
    return each;
  });
}

/**
 * Tells whether a server may turn the condition into a semijoin or antijoin: EXISTS and IN, which = ANY and <> ALL are
 * too, negated or not.
 */
function maybeFlattened(condition: Expression): boolean {
  if (condition.kind === 'not') return maybeFlattened(condition.operand);
  if (condition.kind === 'quantified') return condition.op === '=' || condition.op === '<>';
  return condition.kind === 'exists' || condition.kind === 'inQuery';
}

export function capturingQuery<Q extends Query>(query: Q, to: Capturing): Q {
  if (query.kind === 'unionAll') return { ...query, arms: query.arms.map((arm) => capturingSelect(arm, to)) };
  const { with: clause } = query;
  const inner = clause === undefined ? to : { ...to, ctes: [...(to.ctes ?? []), ...clause.ctes] };
  const own =
    query.kind === 'select'
      ? capturingSelect(query, inner)
      : { ...query, left: capturingQuery(query.left, inner), right: capturingQuery(query.right, inner) };
  return {
    ...own,
    ...(clause !== undefined && {
      with: { ...clause, ctes: clause.ctes.map((cte) => ({ ...cte, query: capturingQuery(cte.query, { ...inner, outer: [] }) })) },
    }),
  } as Q;
}

export interface Written {
  /** The alias of the rows that a write changes. */
  readonly alias: string;
  /** The expression to append for these rows. It is absent if they are named elsewhere. */
  readonly reads?: Expression;
}

export function capturingWhere(from: From, where: Expression | undefined, to: Capturing, written?: Written): Expression | undefined {
  const leaves = leavesOf(from);
  const kept = leaves.length === 1 && where === undefined;
  const shown = leaves.map((leaf) => (leaf.alias === written?.alias ? [] : shownOf(leaf, to, kept)));
  const joined = joinedBy(from, to);
  const conditions = capturingConjuncts(where, to, joined);
  const outer = to.outer ?? [];
  if (clashes(outer, leaves)) to.reasons.push('a subquery uses the same table names as the outer query');
  if (joined === undefined || clashes(outer, leaves)) return conjunction(conditions);
  if (shown.flat().length === 0 && written?.reads === undefined) return conjunction(conditions);
  // A leaf that shows nothing is named all the same, so that the condition waits for its rows.
  const silent = leaves.flatMap((leaf, i) => (shown[i]!.length > 0 ? [] : [named(leaf, to)]));
  const parts = shown.filter((items) => items.length > 0);
  const reads = (parts.length > 0 ? parts : [[]]).map((items, i) => besideArray([...(i === 0 ? silent : []), ...items]));
  const value: Expression = written?.reads === undefined ? TRUE : { kind: 'capture', reads: [written.reads], once: true, value: TRUE };
  return conjunction([
    ...conditions,
    guardedCapture({ kind: 'capture', reads, once: true, value }, [...outer, ...joined, ...conjunctsOf(where)]),
  ]);
}

/** Appends the reads if the conditions hold. */
export function guardedCapture(captured: Extract<Expression, { kind: 'capture' }>, conditions: readonly Expression[]): Expression {
  const when = conjunction(conditions);
  // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
  return when === undefined ? captured : { kind: 'case', when, then: captured, otherwise: FALSE };
}

export function capturingFrom(from: From, to: Capturing): From {
  if (from.kind === 'join') {
    const { on } = from;
    return {
      ...from,
      left: capturingFrom(from.left, to),
      right: capturingFrom(from.right, to),
      ...(on !== undefined && { on: conjunction(capturingConjuncts(on, to))! }),
    };
  }
  return from.kind === 'derived' ? { ...from, query: capturingQuery(from.query, { ...to, outer: [] }) } : from;
}

export const TRUE: Expression = { kind: 'literal', type: 'boolean', value: true };
const FALSE: Expression = { kind: 'literal', type: 'boolean', value: false };

function capturingSelect(select: Select, to: Capturing): Select {
  if (select.limit !== undefined) to.reasons.push('LIMIT may leave rows unread that satisfied the WHERE');
  if (select.lock?.wait === 'skip locked') to.reasons.push('SKIP LOCKED leaves out rows that satisfied the WHERE');
  if (select.distinct && select.from.kind === 'join') to.reasons.push('DISTINCT may leave rows of a join unread');
  const where = capturingWhere(select.from, select.where, to);
  const { items, groupBy, having, orderBy } = select;
  return {
    ...select,
    items: items.map((item) => ({ ...item, expression: capturingExpression(item.expression, to) })),
    from: capturingFrom(select.from, to),
    ...(where !== undefined && { where }),
    ...(groupBy !== undefined && { groupBy: groupBy.map((each) => capturingExpression(each, to)) }),
    ...(having !== undefined && { having: capturingExpression(having, to) }),
    ...(orderBy !== undefined && { orderBy: orderBy.map((item) => ({ ...item, expression: capturingExpression(item.expression, to) })) }),
  };
}

/**
 * Returns the items by which a leaf shows the rows behind it. Derived tables and WITH queries capture inside, views
 * cannot. `kept` says that nothing drops its rows.
 */
function shownOf(leaf: Leaf, to: Capturing, kept: boolean): readonly Expression[] {
  if (leaf.kind === 'table') return versionItems(leaf.table, leaf.alias);
  if (leaf.kind !== 'view') return [];
  const carried = to.views.get(leaf.view);
  const hidden =
    carried?.carries === 'nothing'
      ? `view ${leaf.view} does not show its rows`
      : (carried?.hidden ?? (kept ? undefined : `rows that view ${leaf.alias} read can be dropped outside it`));
  if (hidden !== undefined) to.reasons.push(hidden);
  if (carried?.carries === 'row') return versionItems(carried.table, leaf.alias);
  return carried?.carries === READS_COLUMN ? [column(leaf.alias, READS_COLUMN)] : [];
}

/** An item for a leaf that shows nothing. It names a column of the leaf, and its value is NULL. */
function named(leaf: Leaf, to: Capturing): Expression {
  const first = firstColumn(leaf, to);
  const value: Expression = { kind: 'concat', operands: [column(leaf.alias, first), text('')] };
  return { kind: 'call', name: 'nullif', args: [value, value] };
}

function firstColumn(leaf: Leaf, { views, ctes }: Capturing): string {
  if (leaf.kind === 'derived') return itemsOf(leaf.query)[0]!.alias;
  if (leaf.kind === 'view') return itemsOf(views.get(leaf.view)!.view.query)[0]!.alias;
  if (leaf.kind === 'table') return RID_COLUMN;
  const cte = ctes?.findLast(({ name }) => name === leaf.name);
  return cte === undefined ? RID_COLUMN : itemsOf(cte.query)[0]!.alias;
}

/**
 * Returns conditions that every combination of the FROM satisfies, or undefined if they cannot all be expressed. A row
 * on the right of a left join is there because it satisfied the ON. Otherwise that whole side is missing, row ids
 * included.
 */
function joinedBy(from: From, to: Capturing): readonly Expression[] | undefined {
  if (from.kind !== 'join') return [];
  const left = joinedBy(from.left, to);
  const right = joinedBy(from.right, to);
  if (left === undefined || right === undefined) return undefined;
  if (from.using !== undefined) {
    to.reasons.push('the columns of a join USING cannot be evaluated again');
    return undefined;
  }
  const own = [...right, ...(from.on === undefined ? [] : [from.on])];
  if (from.type !== 'left') return [...left, ...own];
  const present = leavesOf(from.right).find((leaf) => leaf.kind === 'table');
  if (present === undefined) to.reasons.push('a left join has no table on its right side');
  if (present === undefined) return undefined;
  return [
    ...left,
    {
      kind: 'logic',
      op: 'or',
      operands: [conjunction(own)!, { kind: 'isNull', operand: column(present.alias, RID_COLUMN), negated: false }],
    },
  ];
}

function within(to: Capturing, conditions: readonly Expression[]): Capturing {
  return conditions.length === 0 ? to : { ...to, outer: [...(to.outer ?? []), ...conditions] };
}

/** Tells whether an outer condition would mean another table within the query. */
function clashes(outer: readonly Expression[], leaves: readonly Leaf[]): boolean {
  const own = new Set(leaves.map(({ alias }) => alias));
  return contentsOfExpressions(outer).expressions.some((each) => each.kind === 'column' && own.has(each.table));
}

/**
 * Adds a reason for a query that may stop reading early. A query that is one group is read whole, unless its values are
 * not used.
 */
function mapped(expression: Expression, to: Capturing): Expression {
  if (expression.kind === 'quantified' && expression.query.kind === 'select' && readWhole(expression.op, expression.query))
    return wholly({ ...expression, operand: capturingExpression(expression.operand, to) }, expression.query, to);
  if (expression.kind === 'exists' || expression.kind === 'inQuery' || expression.kind === 'quantified') {
    const { query } = expression;
    const one = query.kind === 'select' && isGrouped(query) && !query.groupBy?.length && expression.kind !== 'exists';
    if (!one) to.reasons.push('EXISTS, IN, ANY and ALL may stop at the row that decides them, so only the reads until then are shown');
  }
  return mapParts('expression', expression, {
    expression: (each) => capturingExpression(each, to),
    query: (each) => capturingQuery(each, to),
  });
}

/**
 * Tells whether servers read the query whole. They compare `a > ALL (...)` and its like, over a plain query that does
 * not depend on the row, with the query's MIN or MAX.
 */
function readWhole(op: CompareOp, query: Select): boolean {
  return (
    op !== '=' &&
    op !== '<>' &&
    query.limit === undefined &&
    query.with === undefined &&
    !query.distinct &&
    !isGrouped(query) &&
    !isCorrelated(query)
  );
}

/**
 * A query that captures could no longer be replaced by a MIN or MAX. Its rows are therefore counted, and captured,
 * before the comparison.
 */
function wholly(expression: Expression, query: Select, to: Capturing): Expression {
  const { orderBy: _, ...rest } = query;
  const counted: Select = capturingSelect({ ...rest, items: [{ expression: { kind: 'aggregate', name: 'count' }, alias: 'n' }] }, to);
  const nothing: Expression = { kind: 'literal', type: 'integer', value: 0 };
  return {
    kind: 'case',
    when: { kind: 'compare', op: '>=', left: { kind: 'subquery', query: counted }, right: nothing },
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
    then: expression,
    otherwise: FALSE,
  };
}
