/** What conditions are made of: their conjuncts, the columns that they name, whether a subquery stands in them. */
import { partsOfExpression } from '../../core/index.ts';
import type { ColumnExpression, Expression, From } from '../../core/index.ts';

export function conjunctsOf(where: Expression | undefined): readonly Expression[] {
  if (where === undefined) return [];
  return where.kind === 'logic' && where.op === 'and' ? where.operands.flatMap(conjunctsOf) : [where];
}

export function both(a: Expression | undefined, b: Expression | undefined): Expression | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { kind: 'logic', op: 'and', operands: [a, b] };
}

export function joinConditions(from: From): readonly Expression[] {
  if (from.kind !== 'join') return [];
  return [...(from.on === undefined ? [] : [from.on]), ...joinConditions(from.left), ...joinConditions(from.right)];
}

export function hasSubquery(expression: Expression | undefined): boolean {
  if (expression === undefined) return false;
  const { expressions, queries } = partsOfExpression(expression);
  return queries.length > 0 || expressions.some(hasSubquery);
}

/** Of an expression without subqueries. */
export function columnsOf(expression: Expression): readonly ColumnExpression[] {
  return expression.kind === 'column' ? [expression] : partsOfExpression(expression).expressions.flatMap(columnsOf);
}

/** The same expression over other columns or values; undefined where `replace` has none for a column. */
export function withColumns(expression: Expression, replace: (column: ColumnExpression) => Expression | undefined): Expression | undefined {
  let missing = false;
  const copied = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copied);
    if (typeof part !== 'object' || part === null) return part;
    if ('kind' in part && part.kind === 'column') {
      const other = replace(part as ColumnExpression);
      if (other === undefined) missing = true;
      return other;
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, copied(value)]));
  };
  const copy = copied(expression) as Expression;
  return missing ? undefined : copy;
}

export function renamed(expression: Expression | undefined, from: string, to: string): Expression | undefined {
  return expression && withColumns(expression, (column) => (column.table === from ? { ...column, table: to } : column));
}
