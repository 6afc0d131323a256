/**
 * Which sessions wait for another one: heavyweight locks (rows, tables, unique inserts in doubt) by pg_blocking_pids,
 * and SERIALIZABLE READ ONLY DEFERRABLE waiting for its safe snapshot, which holds no lock (the same test as that of
 * PostgreSQL's own isolationtester).
 */
import type { BlockedWatcher, Connection } from '../../core/index.ts';
import { InternalError } from '../../core/index.ts';

export function watchBlocked(connection: Connection): BlockedWatcher {
  return {
    async blocked(backends: readonly string[]): Promise<ReadonlySet<string>> {
      if (backends.length === 0) return new Set();
      const bad = backends.find((backend) => !/^\d+$/.test(backend));
      if (bad !== undefined) throw new InternalError(`${JSON.stringify(bad)} is no backend pid`);
      const { rows } = await connection.query(
        `SELECT pid FROM pg_catalog.pg_stat_activity WHERE pid = ANY ('{${backends.join(',')}}'::integer[]) ` +
          `AND (cardinality(pg_blocking_pids(pid)) > 0 OR (wait_event_type = 'IPC' AND wait_event = 'SafeSnapshot'))`,
      );
      return new Set(rows.map(([pid]) => pid ?? ''));
    },
  };
}
