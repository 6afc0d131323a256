/**
 * The levels that BEGIN accepts. READ UNCOMMITTED is a word of its own that runs as READ COMMITTED; REPEATABLE READ is
 * snapshot isolation (PostgreSQL documentation, 13.2).
 */
import type { DialectLevel } from '../../core/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-uncommitted', sql: 'READ UNCOMMITTED', inForce: 'read uncommitted', aliasOf: 'read-committed' },
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed' },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read' },
  { level: 'serializable', sql: 'SERIALIZABLE', inForce: 'serializable', readOnlyAs: 'repeatable-read' },
];
