/** Renames the columns of a query: WITH x (a, b) AS (...), (SELECT ...) AS x (a, b), CREATE VIEW x (a, b). */
import type { Query } from '../../../core/sql/index.ts';

export const RENAMING =
  'the names must be as many as the columns, and the query have no star, GROUP BY, HAVING or ORDER BY; or write AS behind its columns';

/** Undefined: the columns cannot be renamed (RENAMING). */
export function renamed(query: Query, names: readonly string[]): Query | undefined {
  if (query.kind === 'unionAll') {
    const [first, ...others] = query.arms;
    const left = first && renamed(first, names);
    return left?.kind === 'select' ? { ...query, arms: [left, ...others] } : undefined;
  }
  if (query.kind === 'setOperation') {
    const left = renamed(query.left, names);
    return left && { ...query, left };
  }
  if (query.items.length !== names.length || query.items.some((item) => item.alias === '*')) return undefined;
  // Names in these clauses could then mean another column.
  if (query.groupBy !== undefined || query.having !== undefined || query.orderBy !== undefined) return undefined;
  return { ...query, items: query.items.map((item, i) => ({ ...item, alias: names[i]! })) };
}
