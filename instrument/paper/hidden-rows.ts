/**
 * Tells whether a query's result shows every row version that the query read. The item reads of a statement are the
 * versions that satisfied its FROM and WHERE, derived tables included. A join shows every combination that satisfied
 * it. LIMIT and SKIP LOCKED do not. The rows of a derived table are shown only if nothing outside it can drop them,
 * that is, if there is no outer WHERE and no join that may find no partner.
 */
import { InternalError } from '../../core/index.ts';
import type { From, Query } from '../../core/index.ts';

/** Returns why rows may be hidden, or undefined if none can be. */
export function hiddenRows(query: Query): string | undefined {
  if (query.kind === 'unionAll') return firstReason(query.arms.map(hiddenRows));
  if (query.kind === 'setOperation') throw new InternalError(`cannot tell what ${query.op.toUpperCase()} hides`);
  if (query.limit !== undefined) return 'LIMIT shows only some of the rows that satisfied the WHERE';
  if (query.lock?.wait === 'skip locked') return 'SKIP LOCKED leaves out rows that satisfied the WHERE';
  return hiddenInFrom(query.from, query.where === undefined);
}

function hiddenInFrom(from: From, kept: boolean): string | undefined {
  switch (from.kind) {
    case 'table':
    case 'view':
    case 'cte':
      return undefined;
    case 'derived':
      return kept ? hiddenRows(from.query) : `rows that derived table ${from.alias} read can be dropped outside it`;
    case 'join':
      return hiddenInFrom(from.left, kept && from.type === 'left') ?? hiddenInFrom(from.right, false);
  }
}

function firstReason(reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((reason) => reason !== undefined);
}
