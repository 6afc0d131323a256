/**
 * Finds the subqueries of an expression, and the conditions under which their value can matter. SQL gives AND and OR no
 * order, so a subquery beside plain operands is read wherever they leave the outcome open. A subquery in a CASE is read
 * only if its branch is taken. One under an aggregate is read only for the rows that its FILTER accepts.
 */
import { hasSubquery, partsOfExpression } from '../../core/index.ts';
import type { Expression, Query } from '../../core/index.ts';

export interface SubquerySite {
  readonly query: Query;
  /** Conditions that are all true where the subquery is read. */
  readonly guards: readonly Expression[];
}

export function subquerySites(expression: Expression, guards: readonly Expression[] = []): readonly SubquerySite[] {
  if (expression.kind === 'case') {
    const { when, then, otherwise } = expression;
    return [
      ...subquerySites(when, guards),
      ...subquerySites(then, [...guards, when]),
      ...subquerySites(otherwise, [...guards, isNotTrue(when)]),
    ];
  }
  if (expression.kind === 'logic') {
    const decided = expression.op === 'and' ? isNotFalse : isNotTrue;
    const open = expression.operands.filter((operand) => !hasSubquery(operand)).map(decided);
    return expression.operands.filter(hasSubquery).flatMap((operand) => subquerySites(operand, [...guards, ...open]));
  }
  const { expressions, queries } = partsOfExpression(expression);
  const within = expression.kind === 'aggregate' && expression.filter !== undefined ? [...guards, expression.filter] : guards;
  return [...expressions.flatMap((each) => subquerySites(each, within)), ...queries.map((query) => ({ query, guards }))];
}

export function isNotFalse(condition: Expression): Expression {
  return { kind: 'call', name: 'coalesce', args: [condition, { kind: 'literal', type: 'boolean', value: true }] };
}

export function isNotTrue(condition: Expression): Expression {
  return {
    kind: 'not',
    operand: { kind: 'call', name: 'coalesce', args: [condition, { kind: 'literal', type: 'boolean', value: false }] },
  };
}
