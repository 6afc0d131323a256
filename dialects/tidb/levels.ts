/**
 * TiDB has two levels of its own, and the other two names are errors (8048). REPEATABLE READ is snapshot isolation in
 * optimistic transactions, and mixes snapshot and current reads in pessimistic ones, as InnoDB does. READ COMMITTED
 * exists only in pessimistic transactions. Optimistic ones silently run at REPEATABLE READ, so the query for the level
 * in force answers that.
 */
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { LevelQuery } from '../mysql-family/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed' },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read' },
];

/** An empty tidb_txn_mode means optimistic. The query uses only variables: it reads nothing and takes no lock. */
export const LEVEL_QUERY: LevelQuery = { level: `IF(LOWER(@@tidb_txn_mode) = 'pessimistic', @@transaction_isolation, 'REPEATABLE-READ')` };

export function levelAdvice(asked: DialectLevel): string {
  return asked.level === 'read-committed'
    ? 'optimistic transactions of TiDB have no READ COMMITTED: put tidb_txn_mode=pessimistic into the URL, or test --level repeatable-read'
    : 'a proxy or a server setting overrides it';
}
