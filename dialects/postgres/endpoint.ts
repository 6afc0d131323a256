/**
 * Whether an endpoint is a primary or a standby, and its position in the log. The position is what the primary has
 * written, or what the standby has replayed. After reading a primary's position, a record is written and flushed behind
 * it. Otherwise a wait for a position between two records, or in an unflushed log, would last until the next write.
 */
import type { Connection, EndpointState } from '../../core/dialect/index.ts';

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
