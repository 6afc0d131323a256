/** Rewrites conditions for other rows than those that they were written for. */
import { mapExpression } from '../../core/index.ts';
import type { ColumnExpression, Expression } from '../../core/index.ts';

/** Returns the same expression over other columns or values; undefined if `replace` has none for a column. */
export function withColumns(expression: Expression, replace: (column: ColumnExpression) => Expression | undefined): Expression | undefined {
  let missing = false;
  const change = (each: Expression): Expression => {
    const other = each.kind === 'column' ? replace(each) : each;
    if (other === undefined) missing = true;
    return other ?? each;
  };
  const copy = mapExpression(expression, { expression: change });
  return missing ? undefined : copy;
}

export function renamed(expression: Expression | undefined, from: string, to: string): Expression | undefined {
  return expression && withColumns(expression, (column) => (column.table === from ? { ...column, table: to } : column));
}
