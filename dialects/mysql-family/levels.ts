/**
 * The four levels of SET TRANSACTION ISOLATION LEVEL; all four are levels of their own in InnoDB. Beside others two keep a
 * definition: SERIALIZABLE holds the locks of all that it reads against everybody. REPEATABLE READ mixes a snapshot with
 * the newest rows, which is none, and READ UNCOMMITTED has none.
 */
import type { DialectLevel } from '../../core/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-uncommitted', sql: 'READ UNCOMMITTED', inForce: 'read uncommitted' },
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed', beside: { definition: 'read-committed' } },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read' },
  { level: 'serializable', sql: 'SERIALIZABLE', inForce: 'serializable', beside: { definition: 'serializable' } },
];
