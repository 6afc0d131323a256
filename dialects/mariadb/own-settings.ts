/**
 * The settings in which a MariaDB that the tool starts differs from its vendor's defaults (its documents, "Server
 * System Variables", "Galera Cluster System Variables"). Its binary log is off, which is the default.
 */
import type { OwnSetting } from '../../core/dialect/index.ts';

const NOTHING_OUTLIVES = 'nothing outlives the run, so nothing has to survive a crash';
const ONE_MACHINE = 'many servers run beside each other on one machine and are reached from it alone';
const SMALL_ENOUGH = 'many servers run beside each other, and the data of a test are small';

/** Initialising a data folder uses them too. */
export const QUICK_SETTINGS: readonly OwnSetting[] = [
  { name: 'innodb_log_file_size', value: '16M', vendor: '96M', reason: SMALL_ENOUGH },
  { name: 'innodb_buffer_pool_size', value: '64M', vendor: '128M', reason: SMALL_ENOUGH },
  { name: 'innodb_flush_log_at_trx_commit', value: '0', vendor: '1', reason: NOTHING_OUTLIVES },
  { name: 'innodb_flush_method', value: 'nosync', vendor: 'O_DIRECT', reason: NOTHING_OUTLIVES },
  { name: 'innodb_doublewrite', value: 'OFF', vendor: 'ON', reason: NOTHING_OUTLIVES },
];

export const MARIADB_SETTINGS: readonly OwnSetting[] = [
  ...QUICK_SETTINGS,
  { name: 'bind_address', value: '127.0.0.1', vendor: '*', reason: ONE_MACHINE, fixed: true },
  { name: 'skip_name_resolve', value: 'ON', vendor: 'OFF', reason: 'a connection does not wait for a name server' },
  { name: 'log_warnings', value: '1', vendor: '2', reason: 'at 2, each connection that is dropped is a line of the log' },
];

/** The provider's options for each node, under the names of Galera's documents. */
const PATIENT =
  'evs.keepalive_period=PT0.2S;evs.join_retrans_period=PT0.2S;evs.suspect_timeout=PT60S;evs.inactive_timeout=PT120S;evs.install_timeout=PT60S;gmcast.peer_timeout=PT60S;gcache.size=16M;gcache.page_size=16M;socket.ssl=no';

export const PROVIDER_OPTIONS = 'wsrep_provider_options';

/** Settings of each node of a cluster, beside those of a single server. */
export const GALERA_SETTINGS: readonly OwnSetting[] = [
  { name: 'wsrep_on', value: 'ON', vendor: 'OFF', reason: 'a cluster is what the target names', fixed: true },
  {
    name: 'binlog_format',
    value: 'ROW',
    vendor: 'MIXED',
    reason: 'Galera replicates rows alone',
    outcome: 'what it does at READ COMMITTED, where statements could not be replicated',
    fixed: true,
  },
  {
    name: 'innodb_autoinc_lock_mode',
    value: '2',
    vendor: '1',
    reason: 'Galera takes no other value',
    outcome: 'which numbers AUTO_INCREMENT gives to statements at work at once',
    fixed: true,
  },
  {
    name: PROVIDER_OPTIONS,
    value: PATIENT,
    vendor:
      'evs.keepalive_period=PT1S;evs.join_retrans_period=PT1S;evs.suspect_timeout=PT5S;evs.inactive_timeout=PT15S;evs.install_timeout=PT7.5S;gmcast.peer_timeout=PT3S;gcache.size=128M;gcache.page_size=128M',
    reason: 'a node that a busy machine starves for some seconds stays in, and three nodes share one machine',
    outcome: 'when a node that does not answer is shut out of the cluster',
  },
];
