/**
 * The four levels of SET TRANSACTION ISOLATION LEVEL, all of them distinct in InnoDB. Two of them keep a definition
 * beside others. SERIALIZABLE locks all that it reads against every transaction. REPEATABLE READ mixes a snapshot with
 * the newest rows, which is no definition, and READ UNCOMMITTED has none.
 */
import type { DialectLevel } from '../../core/dialect/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-uncommitted', sql: 'READ UNCOMMITTED', inForce: 'read uncommitted' },
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed', beside: { definition: 'read-committed' } },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read' },
  { level: 'serializable', sql: 'SERIALIZABLE', inForce: 'serializable', beside: { definition: 'serializable' } },
];
