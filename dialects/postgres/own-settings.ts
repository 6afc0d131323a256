/**
 * The settings in which a PostgreSQL that the tool starts differs from its vendor's defaults (its documents, "Server
 * Configuration").
 */
import type { OwnSetting } from '../../core/dialect/index.ts';

const NOTHING_OUTLIVES = 'nothing outlives the run, so nothing has to survive a crash';
const ONE_MACHINE = 'many servers run beside each other on one machine and are reached from it alone';

export const POSTGRES_SETTINGS: readonly OwnSetting[] = [
  { name: 'listen_addresses', value: '127.0.0.1', vendor: 'localhost', reason: ONE_MACHINE, fixed: true },
  { name: 'unix_socket_directories', value: '', vendor: '/tmp', reason: ONE_MACHINE, fixed: true },
  { name: 'fsync', value: 'off', vendor: 'on', reason: NOTHING_OUTLIVES },
  { name: 'synchronous_commit', value: 'off', vendor: 'on', reason: NOTHING_OUTLIVES },
  { name: 'full_page_writes', value: 'off', vendor: 'on', reason: NOTHING_OUTLIVES },
  {
    name: 'deadlock_timeout',
    value: '50ms',
    vendor: '1s',
    reason: 'a round would stand still for a second at each deadlock',
    outcome: 'which transaction of a deadlock is ended, and when',
  },
  {
    name: 'timezone',
    value: 'UTC',
    vendor: 'the time zone of the machine',
    reason: 'a timestamp with a time zone has the same text on every machine',
    outcome: 'the text of a timestamp with a time zone',
  },
  { name: 'log_timezone', value: 'UTC', vendor: 'the time zone of the machine', reason: 'a log is read with the record beside it' },
  {
    name: 'log_min_messages',
    value: 'log',
    vendor: 'warning',
    reason: 'transactions that fail are many, and each would be lines of a log that lies in memory',
  },
  {
    name: 'dynamic_shared_memory_type',
    value: process.platform === 'win32' ? 'windows' : 'mmap',
    vendor: process.platform === 'win32' ? 'windows' : 'posix',
    reason: 'a server that is killed leaves nothing in /dev/shm, since its memory lies in its data folder',
  },
];

/** Settings of a server whose data folder is in memory. */
export const IN_MEMORY_SETTINGS: readonly OwnSetting[] = [
  { name: 'max_wal_size', value: '128MB', vendor: '1GB', reason: 'the log of writes lies in memory too' },
];

/** Settings of a primary and its standby. They replace those of the same name. */
export const STREAMING_SETTINGS: readonly OwnSetting[] = [
  {
    name: 'synchronous_commit',
    value: 'local',
    vendor: 'on',
    reason: 'streaming sends what is flushed, and with off the standby would lag by the naps of the walwriter',
  },
  {
    name: 'wal_retrieve_retry_interval',
    value: '100ms',
    vendor: '5s',
    reason: 'a standby that lost its primary tries again at once',
    outcome: 'how long a standby stays stale after it has lost its primary',
  },
];

/** Options of initdb, which a data folder keeps forever. */
export const INITDB_SETTINGS: readonly OwnSetting[] = [
  {
    name: 'initdb --locale',
    value: 'C',
    vendor: 'the locale of the environment',
    reason: 'texts have the same order on every machine',
    outcome: 'the order of texts, and which texts a range of them holds',
    fixed: true,
  },
  {
    name: 'initdb --encoding',
    value: 'UTF8',
    vendor: 'the encoding of the locale',
    reason: 'every text of a test can be stored on every machine',
    fixed: true,
  },
  { name: 'initdb --auth', value: 'trust', vendor: 'trust, with a warning', reason: ONE_MACHINE, fixed: true },
];
