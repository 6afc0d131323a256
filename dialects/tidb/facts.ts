/**
 * TiDB's version and the settings that its promises depend on. The transaction mode is in lower case, as in the promise
 * table.
 */
import type { Connection, ServerFacts } from '../../core/dialect/index.ts';
import { facts as familyFacts } from '../mysql-family/index.ts';

const SETTINGS = [
  'tidb_txn_mode',
  'tidb_disable_txn_auto_retry',
  'tidb_retry_limit',
  'tidb_guarantee_linearizability',
  'tidb_enable_async_commit',
  'tidb_enable_1pc',
  'tidb_read_staleness',
  'tidb_snapshot',
  'tidb_replica_read',
  'tidb_rc_read_check_ts',
  'tidb_rc_write_check_ts',
  'tidb_constraint_check_in_place',
  'tidb_constraint_check_in_place_pessimistic',
  'tidb_pessimistic_txn_fair_locking',
  'tidb_enable_noop_functions',
  'tidb_enable_shared_lock_promotion',
  'tidb_skip_isolation_level_check',
  'tidb_enable_check_constraint',
  'tidb_enable_foreign_key',
  'foreign_key_checks',
];

export async function facts(connection: Connection): Promise<ServerFacts> {
  const { version, make, configuration } = await familyFacts(connection, 'TiDB', SETTINGS);
  const mode = configuration['tidb_txn_mode']?.toLowerCase();
  // An empty mode means optimistic.
  return {
    version,
    make,
    configuration: { ...configuration, ...(mode === undefined ? {} : { tidb_txn_mode: mode === 'pessimistic' ? mode : 'optimistic' }) },
  };
}
