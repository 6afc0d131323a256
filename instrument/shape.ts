/** Questions about the shape of a statement, and two rewrites of it, that the planning of its reads is made of. */
import { contentsOf, locksOf, partsOfExpression } from '../core/index.ts';
import type { Expression, From, Query, Select, Statement } from '../core/index.ts';
import type { Views } from './schema/carried-view.ts';

export type Leaf = Exclude<From, { kind: 'join' }>;

/** Aggregates make one result row of several read ones; window functions do not. */
export function isGrouped(select: Select): boolean {
  if (select.groupBy !== undefined && select.groupBy.length > 0) return true;
  const shown = [...select.items, ...(select.orderBy ?? [])].map((item) => item.expression);
  return select.having !== undefined || shown.some(hasAggregate);
}

/** Of this query itself, not of a subquery in it. */
export function hasAggregate(expression: Expression): boolean {
  if (expression.kind === 'aggregate' && expression.over === undefined) return true;
  return partsOfExpression(expression).expressions.some(hasAggregate);
}

export function hasWindow(expression: Expression): boolean {
  if (expression.kind === 'rank' || (expression.kind === 'aggregate' && expression.over !== undefined)) return true;
  return partsOfExpression(expression).expressions.some(hasWindow);
}

export function hasSubquery(expression: Expression): boolean {
  const { expressions, queries } = partsOfExpression(expression);
  return queries.length > 0 || expressions.some(hasSubquery);
}

export function conjunctsOf(where: Expression | undefined): readonly Expression[] {
  if (where === undefined) return [];
  return where.kind === 'logic' && where.op === 'and' ? where.operands.flatMap(conjunctsOf) : [where];
}

export function conjunction(operands: readonly Expression[]): Expression | undefined {
  return operands.length > 1 ? { kind: 'logic', op: 'and', operands } : operands[0];
}

export function joinConditions(from: From): readonly Expression[] {
  if (from.kind !== 'join') return [];
  return [...joinConditions(from.left), ...joinConditions(from.right), ...(from.on === undefined ? [] : [from.on])];
}

/** Does it name an alias of a query around it? */
export function isCorrelated(query: Query): boolean {
  const { expressions, leaves } = contentsOf(query);
  const own = new Set(leaves.map((leaf) => leaf.alias));
  return expressions.some((expression) => expression.kind === 'column' && !own.has(expression.table));
}

/** By a clause anywhere within it, or within a view that it names. */
export function isLocking(statement: Statement, views: Views): boolean {
  return locksOf(statement, (view) => views.get(view)?.view.query) !== undefined;
}

/** NATURAL JOIN would also join by the columns that the tables get: the columns that it meant are named instead. */
export function withoutNatural<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withoutNatural) as T;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutNatural(value)]));
  if (copy['kind'] === 'join') delete copy['natural'];
  return copy as T;
}
