/**
 * CockroachDB's levels. READ COMMITTED and REPEATABLE READ (a preview of snapshot isolation) need a cluster setting,
 * and a licence in older releases. Otherwise the server silently runs SERIALIZABLE, and says so when asked inside the
 * transaction.
 */
import type { Level } from '../../core/level/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';

export const LEVELS: readonly DialectLevel[] = [
  { level: 'read-committed', sql: 'READ COMMITTED', inForce: 'read committed' },
  { level: 'repeatable-read', sql: 'REPEATABLE READ', inForce: 'repeatable read', offByDefault: true },
  { level: 'serializable', sql: 'SERIALIZABLE', inForce: 'serializable' },
];

/** The cluster settings that enable optional levels. */
export const LEVEL_SETTINGS: Partial<Record<Level, string>> = {
  'read-committed': 'sql.txn.read_committed_isolation.enabled',
  'repeatable-read': 'sql.txn.repeatable_read_isolation.enabled',
};

export function levelAdvice({ level }: DialectLevel): string {
  const setting = LEVEL_SETTINGS[level];
  if (setting === undefined) return 'a proxy or a server setting overrides it';
  return `CockroachDB runs a level that is off at a higher one: SET CLUSTER SETTING ${setting} = true (some releases also want a licence), or test --level serializable`;
}
