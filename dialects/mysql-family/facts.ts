/**
 * The server's name for itself, and the settings that its promises depend on. For settings that a session may override,
 * the values are the session's. The asking session uses the same URL as the testing ones.
 */
import type { Connection, ServerFacts, ServerMake } from '../../core/dialect/index.ts';

/** Settings of the session. */
const OF_SESSION = [
  'innodb_snapshot_isolation',
  'sql_mode',
  'wsrep_on',
  'wsrep_sync_wait',
  'wsrep_retry_autocommit',
  'wsrep_dirty_reads',
  'wsrep_trx_fragment_size',
];
const COMPILED = ['version_compile_os', 'version_compile_machine'];
const OF_SERVER = [
  'transaction_isolation',
  'tx_isolation',
  'transaction_read_only',
  'read_only',
  'super_read_only',
  'innodb_autoinc_lock_mode',
  'innodb_deadlock_detect',
  'innodb_lock_wait_timeout',
  'innodb_rollback_on_timeout',
  'innodb_flush_log_at_trx_commit',
  'innodb_doublewrite',
  'sync_binlog',
  'log_bin',
  'binlog_format',
  'performance_schema',
  'lower_case_table_names',
  'character_set_server',
  'collation_server',
  'auto_increment_increment',
  'wsrep_auto_increment_control',
  'wsrep_certify_nonpk',
  'wsrep_slave_threads',
];

/** `title`: the DBMS's name. `more`: settings of the session that only one member of the family has. */
export async function facts(connection: Connection, title: string, more: readonly string[] = []): Promise<ServerFacts> {
  const { rows: answer } = await connection.query('SELECT VERSION(), @@version_comment');
  // Names that a server lacks give no row.
  const server = await variables(connection, 'GLOBAL', [...OF_SERVER, ...COMPILED]);
  const session = await variables(connection, 'SESSION', [...OF_SESSION, ...more]);
  const [number = '', comment = ''] = (answer[0] ?? []) as string[];
  // Some packages put advertisements into the comment.
  const version = comment === '' || comment.startsWith('--') ? number : `${number}, ${comment}`;
  const platform = COMPILED.map((name) => server[name] ?? '')
    .join(' ')
    .trim();
  const configuration = Object.fromEntries(Object.entries({ ...server, ...session }).filter(([name]) => !COMPILED.includes(name)));
  return { version, make: makeOf(title, version, platform), configuration };
}

/**
 * Parses `11.8.6-MariaDB-log, Debian 13`: only the number is the release's. A relative of MySQL has its own number
 * behind its name.
 */
export function makeOf(title: string, version: string, platform: string): ServerMake {
  const own = new RegExp(`-${title}-(v\\d[^\\s,]*)`).exec(version)?.[1];
  const number = own ?? /^\d+(\.\d+)*/.exec(version)?.[0] ?? version;
  return { words: version.includes(title) ? version : `${title} ${version}`, number, ...(platform !== '' && { platform }) };
}

async function variables(connection: Connection, scope: 'GLOBAL' | 'SESSION', names: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await connection.query(
    `SHOW ${scope} VARIABLES WHERE Variable_name IN (${names.map((name) => `'${name}'`).join(', ')})`,
  );
  return Object.fromEntries(rows.map(([name, value]) => [(name ?? '').toLowerCase(), value ?? '']));
}
