/**
 * The levels that BEGIN accepts. READ UNCOMMITTED runs as READ COMMITTED, and REPEATABLE READ is snapshot isolation
 * (PostgreSQL documentation, 13.2). SERIALIZABLE promises something only among serializable transactions (13.2.3),
 * whose reads alone are tracked. Beside others a transaction keeps its snapshot, as at REPEATABLE READ.
 */
import type { DialectLevel } from '../../core/dialect/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-uncommitted', sql: 'READ UNCOMMITTED', inForce: 'read uncommitted', aliasOf: 'read-committed' },
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed', beside: { definition: 'read-committed' } },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read', beside: { definition: 'snapshot-isolation' } },
  {
    level: 'serializable',
    sql: 'SERIALIZABLE',
    inForce: 'serializable',
    readOnlyAs: 'repeatable-read',
    beside: { definition: 'serializable', promise: 'repeatable-read' },
  },
];
