/** The four levels of SET TRANSACTION ISOLATION LEVEL; all four are levels of their own in InnoDB. */
import type { DialectLevel } from '../../core/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-uncommitted', sql: 'READ UNCOMMITTED', inForce: 'read uncommitted' },
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed' },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read' },
  { level: 'serializable', sql: 'SERIALIZABLE', inForce: 'serializable' },
];
