/** Returns a statement as it was written. A BEGIN loses the query for the level in force, which comes last. */
import { beginParts } from '../../core/index.ts';
import type { ReportedStatement } from '../../core/index.ts';

export function ownSql({ kind, sql, own }: Pick<ReportedStatement, 'kind' | 'sql' | 'own'>): string {
  if (own !== undefined || kind !== 'begin') return own ?? sql;
  const parts = beginParts(sql);
  return parts.length < 2 ? sql : parts.slice(0, -1).join('; ');
}
