/**
 * A statement that captures what it reads beside the rows that it writes, where it reads it: each SELECT in it gets a last
 * condition that is true and appends the rows of its FROM to the session's variable. So exactly the rows that the server
 * looked at and that satisfied FROM and WHERE are shown, nothing is evaluated twice on another snapshot, and no row is
 * locked that the statement does not lock.
 *
 * Engines put conditions in an order of their own, also before those that bind the tables of a join. Hence the capture
 * names every leaf of the FROM, and asks once more for the whole WHERE and the join conditions before it appends.
 *
 * What stands behind EXISTS, IN, ANY or ALL may be left at the first row that decides it: what was read until then is
 * shown, and the statement is `partial`.
 */
import { itemsOf, leavesOf, partsOfExpression } from '../core/index.ts';
import type { Cte, Expression, From, Query, Select } from '../core/index.ts';
import type { Views } from './carried-view.ts';
import { column, text, triple } from './expressions.ts';
import { conjunction, conjunctsOf, hasSubquery, isGrouped } from './shape.ts';

export interface Capturing {
  readonly views: Views;
  /** Why something is not shown. */
  readonly reasons: string[];
  /** The WITH queries around it. */
  readonly ctes?: readonly Cte[];
}

/** The expression with its subqueries capturing. */
export function capturingExpression<E extends Expression>(expression: E, to: Capturing): E {
  return hasSubquery(expression) ? mapped(expression, to) : expression;
}

export function capturingQuery<Q extends Query>(query: Q, to: Capturing): Q {
  if (query.kind === 'unionAll') return { ...query, arms: query.arms.map((arm) => capturingSelect(arm, to)) };
  const { with: clause } = query;
  const within = clause === undefined ? to : { ...to, ctes: [...(to.ctes ?? []), ...clause.ctes] };
  const own = query.kind === 'select' ? capturingSelect(query, within) : { ...query, left: capturingQuery(query.left, within), right: capturingQuery(query.right, within) };
  return { ...own, ...(clause !== undefined && { with: { ...clause, ctes: clause.ctes.map((cte) => ({ ...cte, query: capturingQuery(cte.query, within) })) } }) } as Q;
}

export interface Written {
  /** The alias of the rows that a write changes. */
  readonly alias: string;
  /** What to append for them; absent: they are named elsewhere. */
  readonly reads?: Expression;
}

export function capturingWhere(from: From, where: Expression | undefined, to: Capturing, written?: Written): Expression | undefined {
  const leaves = leavesOf(from);
  const kept = leaves.length === 1 && where === undefined;
  const shown = leaves.map((leaf) => (leaf.alias === written?.alias ? [] : shownOf(leaf, to, kept)));
  const conditions = conjunctsOf(where).map((each) => capturingExpression(each, to));
  if (shown.flat().length === 0 && written?.reads === undefined) return conjunction(conditions);
  // A leaf that shows nothing is named all the same, so that the condition waits for its rows.
  const items = leaves.flatMap((leaf, i) => (shown[i]!.length > 0 ? shown[i]! : [named(leaf, to)]));
  const reads: Expression = { kind: 'jsonArray', items: [FALSE, ...items] };
  return conjunction([...conditions, guardedCapture(reads, [...innerConditions(from, to), ...conjunctsOf(where)], written?.reads === undefined ? TRUE : { kind: 'capture', reads: written.reads, value: TRUE })]);
}

/** Appends the reads where the conditions hold; `value` is the outcome then. */
export function guardedCapture(reads: Expression, conditions: readonly Expression[], value: Expression): Expression {
  const captured: Expression = { kind: 'capture', reads, value };
  const when = conjunction(conditions);
  // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
  return when === undefined ? captured : { kind: 'case', when, then: captured, otherwise: FALSE };
}

export function capturingFrom(from: From, to: Capturing): From {
  if (from.kind === 'join') {
    const { on } = from;
    return { ...from, left: capturingFrom(from.left, to), right: capturingFrom(from.right, to), ...(on !== undefined && { on: capturingExpression(on, to) }) };
  }
  return from.kind === 'derived' ? { ...from, query: capturingQuery(from.query, to) } : from;
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

type Leaf = Exclude<From, { kind: 'join' }>;

/** What a leaf shows of the rows behind it; derived tables and WITH queries capture inside, views cannot. `kept`: nothing drops its rows. */
function shownOf(leaf: Leaf, to: Capturing, kept: boolean): readonly Expression[] {
  if (leaf.kind === 'table') return triple(leaf.table, leaf.alias);
  if (leaf.kind !== 'view') return [];
  const carried = to.views.get(leaf.view);
  const hidden = carried?.carries === 'nothing' ? `view ${leaf.view} does not show its rows` : (carried?.hidden ?? (kept ? undefined : `rows that view ${leaf.alias} read can be dropped outside it`));
  if (hidden !== undefined) to.reasons.push(hidden);
  if (carried?.carries === 'row') return triple(carried.table, leaf.alias);
  return carried?.carries === 'iso_reads' ? [column(leaf.alias, 'iso_reads')] : [];
}

/** NULL. */
function named(leaf: Leaf, to: Capturing): Expression {
  const first = firstColumn(leaf, to);
  const value: Expression = { kind: 'concat', operands: [column(leaf.alias, first), text('')] };
  return { kind: 'call', name: 'nullif', args: [value, value] };
}

function firstColumn(leaf: Leaf, { views, ctes }: Capturing): string {
  if (leaf.kind === 'derived') return itemsOf(leaf.query)[0]!.alias;
  if (leaf.kind === 'view') return itemsOf(views.get(leaf.view)!.view.query)[0]!.alias;
  if (leaf.kind === 'table') return 'iso_rid';
  const cte = ctes?.findLast(({ name }) => name === leaf.name);
  return cte === undefined ? 'iso_rid' : itemsOf(cte.query)[0]!.alias;
}

/** Conditions that every row of the FROM satisfies: those of inner joins outside the right side of a left join. */
function innerConditions(from: From, to: Capturing): readonly Expression[] {
  if (from.kind !== 'join') return [];
  if (from.type === 'inner' && from.using !== undefined) to.reasons.push('the columns of a join USING cannot be asked for once more');
  if (from.type === 'left') return innerConditions(from.left, to);
  return [...innerConditions(from.left, to), ...innerConditions(from.right, to), ...(from.on === undefined ? [] : [from.on])];
}

/** Whoever may stop reading early says so; a query that is one group is read whole, unless nobody asks for its values. */
function mapped<E extends Expression>(expression: E, to: Capturing): E {
  const { queries } = partsOfExpression(expression);
  if (expression.kind !== 'subquery') {
    for (const query of queries) {
      const one = query.kind === 'select' && isGrouped(query) && !query.groupBy?.length && expression.kind !== 'exists';
      if (!one) to.reasons.push('EXISTS, IN, ANY and ALL may stop at the row that decides them: what was read until then is shown');
    }
  }
  return copied(expression, to, true) as E;
}

/** A copy with every query in it capturing; `top`: the expression itself, whose queries were judged already. */
function copied(part: unknown, to: Capturing, top = false): unknown {
  if (Array.isArray(part)) return part.map((each) => copied(each, to));
  if (typeof part !== 'object' || part === null) return part;
  const { kind } = part as { kind?: string };
  if (kind === 'select' || kind === 'unionAll' || kind === 'setOperation') return capturingQuery(part as Query, to);
  if (!top && kind !== undefined && QUERY_HOLDERS.has(kind)) return mapped(part as Expression, to);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, copied(value, to)]));
}

const QUERY_HOLDERS: ReadonlySet<string> = new Set(['subquery', 'exists', 'inQuery', 'quantified']);
