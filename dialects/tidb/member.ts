/**
 * TiDB from 7.5, the first long-term release with utf8mb4_0900_bin. These rows follow its documents, and no run has
 * tested them.
 *
 * Retries by the server are off, because a retry commits what the transaction never read. LATERAL is only parsed. SKIP LOCKED
 * and shared locks are missing or do nothing by default (mysql-compatibility, pessimistic-transaction).
 */
import type { Member } from '../mysql-family/index.ts';
import { STRICT_MODE, refusal } from '../mysql-family/index.ts';
import { ERRORS } from './errors.ts';
import { LEVEL_QUERY, levelAdvice } from './levels.ts';

export const MEMBER: Member = {
  flavour: {
    title: 'TiDB',
    collation: 'utf8mb4_0900_bin',
    comments: 'mysql',
    lockShare: 'FOR SHARE',
    skipLocked: 'SKIP LOCKED',
    orderedRollup: false,
    windowJson: false,
    // SET DEFAULT does the same as NO ACTION. Before 8.3 ROLLUP needs TiFlash.
    unsupported: ['lateral', 'set default', 'rollup', 'intersect all', 'update through view'],
    returning: { insert: false, update: false, delete: false },
    mergeHint: false,
    // We do not know whether it allows what MySQL forbids, and whether it keeps a capturing subquery from becoming a
    // join.
    flattens: true,
    // A pessimistic statement runs again when it meets a newer row.
    reattempts: true,
    assignsFromOld: true,
    selfReference: false,
  },
  schemes: ['tidb'],
  port: 4000,
  refuses: (version, url) => refusal(version, url, 'TiDB', [7, 5]),
  levelQueries: [LEVEL_QUERY],
  levelAdvice,
  sqlMode: [...STRICT_MODE, 'ONLY_FULL_GROUP_BY'],
  settings: [
    ['tidb_disable_txn_auto_retry', 'ON'],
    ['tidb_retry_limit', '0'],
    // READ UNCOMMITTED and SERIALIZABLE are then errors, not warnings.
    ['tidb_skip_isolation_level_check', 'OFF'],
  ],
  lockTimeouts: ['innodb_lock_wait_timeout'],
  statementTimeout: (milliseconds) => [['max_execution_time', String(Math.trunc(milliseconds))]],
  urlSettings: { tidb_txn_mode: ['PESSIMISTIC', 'OPTIMISTIC'] },
  // The start timestamp, which BEGIN has fetched.
  xidQuery: 'SELECT @@tidb_current_ts',
  errors: ERRORS,
};
