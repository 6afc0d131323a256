/**
 * Finds which sessions wait for which others. pg_blocking_pids reports heavyweight locks (rows, tables, unique inserts
 * in doubt). SERIALIZABLE READ ONLY DEFERRABLE waits for its safe snapshot without a lock, so its wait event is
 * checked, as PostgreSQL's own isolationtester does.
 */
import type { BlockedWatcher, Connection } from '../../core/dialect/index.ts';
import { InternalError } from '../../core/base/index.ts';

export function watchBlocked(connection: Connection): BlockedWatcher {
  const waits = async (backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    if (backends.length === 0) return new Map();
    const bad = backends.find((backend) => !/^\d+$/.test(backend));
    if (bad !== undefined) throw new InternalError(`${JSON.stringify(bad)} is no backend pid`);
    const { rows } = await connection.query(
      `SELECT pid, array_to_string(others, ',') FROM (SELECT pid, wait_event_type, wait_event, pg_blocking_pids(pid) AS others ` +
        `FROM pg_catalog.pg_stat_activity WHERE pid = ANY ('{${backends.join(',')}}'::integer[])) AS session ` +
        `WHERE cardinality(others) > 0 OR (wait_event_type = 'IPC' AND wait_event = 'SafeSnapshot')`,
    );
    return new Map(rows.map(([pid, others]) => [pid ?? '', (others ?? '').split(',').filter((other) => other !== '')]));
  };
  return { waits, blocked: async (backends) => new Set((await waits(backends)).keys()) };
}
