/**
 * The tables that a statement's locking clauses reach, with views resolved. A clause reaches the tables of its own
 * FROM. It also reaches those of a view there that only selects rows and columns of tables. For derived tables and
 * other views it depends on the server. PostgreSQL locks behind them. MySQL 9.7 locks a grouped view and no derived
 * table, and MariaDB 11.8 locks neither. Subqueries and WITH queries are locked only by clauses of their own.
 * PostgreSQL keeps a clause within a view, MySQL drops it, and MariaDB drops it in places. FOR KEY SHARE always locks,
 * but sees the newest row only if the row's key has changed.
 *
 *     SELECT d.v, b.v FROM (SELECT a.id, a.v FROM a FOR UPDATE) d JOIN b ...     tables a, nested: b takes no lock
 *     SELECT s FROM nb FOR UPDATE, nb being SELECT d.s FROM (SELECT sum(v) AS s FROM b) d    tables b, nested: perhaps
 */
import type { Query, Select, Statement } from './statement.ts';
import { hasAggregate, hasWindow } from './shape.ts';
import { isQuery, isWrite } from './statement-nature.ts';
import { partsOf } from './walk-statement.ts';
import type { Leaf, Parts } from './walk-statement.ts';

export interface StatementLocks {
  /** Tables that some read may lock, so that it sees the newest row, in the order of their names. */
  readonly tables: readonly string[];
  /** Some read of the statement takes no lock, or takes one on some servers only. */
  readonly nested: boolean;
}

/** How far an outer clause reaches. */
type Reach = 'no' | 'perhaps' | 'certain';

/** Undefined: the statement has no locking clause. `viewQuery` returns the query of a view. Without it views are not resolved. */
export function locksOf(
  statement: Statement,
  viewQuery: (view: string) => Query | undefined = () => undefined,
): StatementLocks | undefined {
  const tables = new Set<string>();
  let nested = false;

  const read = (table: string, reach: Reach): void => {
    if (reach !== 'no') tables.add(table);
    if (reach !== 'certain') nested = true;
  };
  const inParts = ({ expressions, queries }: Parts): void => {
    for (const each of expressions) inParts(partsOf('expression', each));
    for (const query of queries) inQuery(query, 'no', false);
  };
  const inQuery = (query: Query, reach: Reach, inView: boolean): void => {
    if (query.kind === 'unionAll') {
      for (const arm of query.arms) inSelect(arm, reach, inView);
      return;
    }
    for (const cte of query.with?.ctes ?? []) inQuery(cte.query, 'no', inView);
    if (query.kind === 'select') return inSelect(query, reach, inView);
    inQuery(query.left, reach, inView);
    inQuery(query.right, reach, inView);
  };
  const inSelect = (select: Select, outer: Reach, inView: boolean): void => {
    const reach = select.lock === undefined ? outer : inView || select.lock.strength === 'key share' ? 'perhaps' : 'certain';
    const { expressions, leaves } = partsOf('query', select);
    for (const each of expressions) inParts(partsOf('expression', each));
    inLeaves(leaves, reach, inView);
  };
  const inLeaves = (leaves: readonly Leaf[], reach: Reach, inView: boolean): void => {
    for (const leaf of leaves) {
      if (leaf.kind === 'table') read(leaf.table, reach);
      else if (leaf.kind === 'derived') inQuery(leaf.query, reach === 'no' ? 'no' : 'perhaps', inView);
      else if (leaf.kind === 'view') {
        const query = viewQuery(leaf.view);
        if (query !== undefined) inQuery(query, reach === 'certain' && !isMerged(query) ? 'perhaps' : reach, true);
      }
    }
  };

  const inStatement = (each: Statement): void => {
    if (isQuery(each)) return inQuery(each, 'no', false);
    if (each.kind === 'withWrites') {
      for (const part of [...each.writes.map(({ write }) => write), each.last]) inStatement(part);
    } else if (isWrite(each)) {
      const parts = partsOf('statement', each);
      inParts(parts);
      inLeaves(parts.leaves, 'no', false);
    }
  };
  inStatement(statement);
  return tables.size === 0 ? undefined : { tables: [...tables].sort(), nested };
}

/** Whether every server merges the view into the query: it has no grouping, order, window function or limit. */
function isMerged(query: Query): boolean {
  if (query.kind !== 'select') return false;
  const clauses = [query.with, query.groupBy, query.having, query.orderBy, query.limit];
  return (
    query.distinct !== true &&
    clauses.every((each) => each === undefined) &&
    !query.items.some(({ expression }) => hasAggregate(expression) || hasWindow(expression))
  );
}
