/** Answers questions about the shape of conditions, sources and queries. */
import type { Exclusion } from './schema.ts';
import type { ColumnExpression, Expression, From, Query, Select } from './statement.ts';
import { contentsOf, partsOf, partsOfExpression } from './walk-statement.ts';

/** The operands of a condition's AND, at any depth. */
export function conjunctsOf(where: Expression | undefined): readonly Expression[] {
  if (where === undefined) return [];
  return where.kind === 'logic' && where.op === 'and' ? where.operands.flatMap(conjunctsOf) : [where];
}

/** Undefined: there is no condition. */
export function conjunction(operands: readonly Expression[]): Expression | undefined {
  return operands.length > 1 ? { kind: 'logic', op: 'and', operands } : operands[0];
}

/** The ON conditions of a source. An outer join's condition comes before those of the joins inside it. */
export function joinConditions(from: From): readonly Expression[] {
  return from.kind === 'join' ? partsOf('from', from).expressions : [];
}

/** Whether the expression holds such a node, outside of subqueries. */
function holds(expression: Expression, test: (each: Expression) => boolean): boolean {
  return test(expression) || partsOfExpression(expression).expressions.some((each) => holds(each, test));
}

export function hasSubquery(expression: Expression | undefined): boolean {
  return expression !== undefined && holds(expression, (each) => partsOfExpression(each).queries.length > 0);
}

/** An aggregate over a window does not count, as it makes no groups. */
export function hasAggregate(expression: Expression): boolean {
  return holds(expression, (each) => (each.kind === 'aggregate' || each.kind === 'jsonAgg') && each.over === undefined);
}

export function hasWindow(expression: Expression): boolean {
  return holds(expression, (each) => each.kind === 'rank' || (each.kind === 'aggregate' && each.over !== undefined));
}

/** Aggregates make one result row from several rows. Window functions do not. */
export function isGrouped(select: Select): boolean {
  if (select.groupBy !== undefined && select.groupBy.length > 0) return true;
  const shown = [...select.items, ...(select.orderBy ?? [])].map((item) => item.expression);
  return select.having !== undefined || shown.some(hasAggregate);
}

/** Whether the query names an alias of a query around it. */
export function isCorrelated(query: Query): boolean {
  const { expressions, leaves } = contentsOf(query);
  const own = new Set(leaves.map((leaf) => leaf.alias));
  return expressions.some((expression) => expression.kind === 'column' && !own.has(expression.table));
}

/** The columns that an expression without subqueries names. */
export function columnsOf(expression: Expression): readonly ColumnExpression[] {
  return expression.kind === 'column' ? [expression] : partsOfExpression(expression).expressions.flatMap(columnsOf);
}

/** The names of the columns that an exclusion constraint uses. */
export function columnsOfExclusion({ parts, where }: Exclusion): readonly string[] {
  const expressions = parts.flatMap((part) => (part.meets === 'overlapping' ? [part.range.lower, part.range.upper] : []));
  const equal = parts.flatMap((part) => (part.meets === 'equal' ? [part.column] : []));
  return [...new Set([...equal, ...[...expressions, ...(where ? [where] : [])].flatMap(columnsOf).map(({ column }) => column)])];
}
