/**
 * The server's name for itself, and the settings that its promises depend on. A standby promises less than a primary.
 * Without durability a crash may lose acknowledged commits.
 */
import type { Connection, ServerFacts, ServerMake } from '../../core/dialect/index.ts';

const SETTINGS = [
  'in_hot_standby',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'default_transaction_deferrable',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'deadlock_timeout',
  'lock_timeout',
  'server_encoding',
];

/** Parses `PostgreSQL 18.4 (Debian 18.4-1) on x86_64-pc-linux-gnu, compiled by gcc`. */
export function makeOf(answer: string): ServerMake {
  const [, number = answer, packaging, platform] = /^PostgreSQL (\S+)(?: \(([^()]+)\))?(?: on ([^,]+))?/.exec(answer) ?? [];
  return { words: answer, number, ...(packaging !== undefined && { packaging }), ...(platform !== undefined && { platform }) };
}

export async function facts(connection: Connection): Promise<ServerFacts> {
  const { rows: version } = await connection.query('SELECT version()');
  // The reset value is used, because our session's own SETs are no property of the server. Names that an older server
  // lacks give no row.
  const { rows } = await connection.query(
    `SELECT name, COALESCE(reset_val, setting) FROM pg_catalog.pg_settings WHERE name IN (${SETTINGS.map((name) => `'${name}'`).join(', ')}) ORDER BY name`,
  );
  const { rows: standby } = await connection.query(`SELECT CASE WHEN pg_is_in_recovery() THEN 'on' ELSE 'off' END`);
  const { rows: collation } = await connection.query(`SELECT datcollate FROM pg_catalog.pg_database WHERE datname = current_database()`);
  const answer = version[0]?.[0] ?? '';
  return {
    version: answer,
    make: makeOf(answer),
    configuration: {
      ...Object.fromEntries(rows.map(([name, value]) => [name ?? '', value ?? ''])),
      in_hot_standby: standby[0]?.[0] ?? '',
      collation: collation[0]?.[0] ?? '',
    },
  };
}
