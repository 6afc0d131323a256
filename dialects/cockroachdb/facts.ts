/**
 * CockroachDB's version and the settings that its promises depend on: those of the cluster, if the user may see them,
 * and those of the session.
 */
import type { Connection, ServerFacts, ServerMake } from '../../core/dialect/index.ts';
import { LEVEL_SETTINGS } from './levels.ts';

const OF_CLUSTER = [
  ...Object.values(LEVEL_SETTINGS),
  'kv.closed_timestamp.target_duration',
  'kv.lock_table.deadlock_detection_push_delay',
  'kv.transaction.write_pipelining.enabled',
  'kv.transaction.write_buffering.enabled',
  'server.max_clock_offset',
  'sql.defaults.results_buffer.size',
];
/** Retries of a statement at READ COMMITTED are part of the documented behaviour, so they stay on. */
const OF_SESSION = [
  'default_transaction_isolation',
  'default_transaction_priority',
  'default_transaction_read_only',
  'default_transaction_use_follower_reads',
  'enable_durable_locking_for_serializable',
  'enable_implicit_fk_locking_for_serializable',
  'enable_shared_locking_for_serializable',
  'kv_transaction_buffered_writes_enabled',
  'max_retries_for_read_committed',
];

/** An answer is `CockroachDB CCL v25.1.0 (x86_64-pc-linux-gnu, built 2025/02/14 11:30:26, go1.22.8)`. */
export function makeOf(answer: string): ServerMake {
  const [, number = answer, platform] = /\b(v\d\S*)(?: \(([^,()]+))?/.exec(answer) ?? [];
  return { words: answer, number, ...(platform !== undefined && { platform }) };
}

export async function facts(connection: Connection): Promise<ServerFacts> {
  const version = (await connection.query('SELECT version()')).rows[0]?.[0] ?? '';
  const cluster = await named(
    connection,
    `SELECT variable, value FROM [SHOW ALL CLUSTER SETTINGS] WHERE variable IN (${list(OF_CLUSTER)})`,
  );
  const session = await named(connection, `SELECT name, setting FROM pg_catalog.pg_settings WHERE name IN (${list(OF_SESSION)})`);
  return { version, make: makeOf(version), configuration: { ...cluster, ...session } };
}

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Settings that a release lacks give no row. Without the privilege the result is empty. */
async function named(connection: Connection, sql: string): Promise<Record<string, string>> {
  try {
    const { rows } = await connection.query(sql);
    return Object.fromEntries(rows.map(([name, value]) => [name ?? '', value ?? '']));
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return {};
    throw error;
  }
}
