/**
 * The settings in which a MySQL that the tool starts differs from its vendor's defaults (its documents, "Server System
 * Variables").
 */
import type { OwnSetting } from '../../core/dialect/index.ts';

const NOTHING_OUTLIVES = 'nothing outlives the run, so nothing has to survive a crash';
const ONE_MACHINE = 'many servers run beside each other on one machine and are reached from it alone';
const SMALL_ENOUGH = 'many servers run beside each other, and the data of a test are small';

/** Initialising a data folder uses them too. A redo log of 8M would make it slower. */
export const QUICK_SETTINGS: readonly OwnSetting[] = [
  { name: 'innodb_flush_log_at_trx_commit', value: '0', vendor: '1', reason: NOTHING_OUTLIVES },
  { name: 'innodb_flush_method', value: 'nosync', vendor: 'O_DIRECT', reason: NOTHING_OUTLIVES },
  { name: 'innodb_doublewrite', value: 'OFF', vendor: 'ON', reason: NOTHING_OUTLIVES },
  { name: 'innodb_redo_log_capacity', value: '64M', vendor: '100M', reason: SMALL_ENOUGH },
];

/**
 * The binary log stays on, which is the default. With it, a transaction that writes a value equal to the old one writes
 * nothing.
 */
export const MYSQL_SETTINGS: readonly OwnSetting[] = [
  ...QUICK_SETTINGS,
  { name: 'bind_address', value: '127.0.0.1', vendor: '*', reason: ONE_MACHINE, fixed: true },
  { name: 'mysqlx', value: 'OFF', vendor: 'ON', reason: `${ONE_MACHINE}, and its port would be one more`, fixed: true },
  { name: 'skip_name_resolve', value: 'ON', vendor: 'OFF', reason: 'a connection does not wait for a name server' },
  { name: 'secure_file_priv', value: 'NULL', vendor: 'a folder of the system', reason: 'no statement reads or writes a file', fixed: true },
  { name: 'sync_binlog', value: '0', vendor: '1', reason: NOTHING_OUTLIVES },
  { name: 'max_binlog_size', value: '16M', vendor: '1G', reason: 'the binary log lies in memory too' },
  { name: 'binlog_expire_logs_seconds', value: '60', vendor: '2592000', reason: 'the binary log lies in memory too, and nobody reads it' },
  {
    name: 'log_bin_trust_function_creators',
    value: 'ON',
    vendor: 'OFF',
    reason:
      'functions and triggers of a file are created unchanged, and the server refuses some of them while its binary log is on (errors 1418, 1419)',
    outcome: 'whether a function or a trigger can be created; no transaction behaves differently',
  },
  { name: 'innodb_buffer_pool_size', value: '64M', vendor: '128M', reason: SMALL_ENOUGH },
];
