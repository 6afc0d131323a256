/**
 * A primary or a standby, and how far it has come in the log: what the primary has written, what the standby has
 * replayed. A record behind the primary's position is written and flushed, since a position between two records, or in
 * a log that is not flushed yet, would be waited for until somebody else writes.
 */
import type { Connection, EndpointState } from '../../core/index.ts';

const FLUSH = "BEGIN; SET LOCAL synchronous_commit TO local; SELECT pg_logical_emit_message(true, 'anomalist', ''); COMMIT";

export async function endpoint(connection: Connection): Promise<EndpointState> {
  const readOnly = (await one(connection, 'SELECT pg_is_in_recovery()')) === 't';
  const text = await one(
    connection,
    `SELECT trunc(pg_wal_lsn_diff(${readOnly ? 'pg_last_wal_replay_lsn()' : 'pg_current_wal_insert_lsn()'}, '0/0'))::text`,
  );
  if (!readOnly) await connection.query(FLUSH);
  return { readOnly, ...(text !== null && { position: BigInt(text) }), configuration: { in_hot_standby: readOnly ? 'on' : 'off' } };
}

async function one(connection: Connection, sql: string): Promise<string | null> {
  return (await connection.query(sql)).rows[0]?.[0] ?? null;
}
