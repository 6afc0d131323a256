/**
 * Finds which sessions wait for which others (CockroachDB's documents, crdb_internal). The table cluster_locks has a
 * row for each holder and each waiter of a contended lock, reads included. The table cluster_transactions says whose
 * transactions they are. Without VIEWACTIVITY, or in a release without these tables, the queries return nothing. Then
 * only the missing reply shows that a session waits.
 */
import type { BlockedWatcher, Connection } from '../../core/dialect/index.ts';
import { InternalError } from '../../core/base/index.ts';

export function watchBlocked(connection: Connection): BlockedWatcher {
  const waits = async (backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    if (backends.length === 0) return new Map();
    const bad = backends.find((backend) => !/^[0-9a-f-]+$/i.test(backend));
    if (bad !== undefined) throw new InternalError(`${JSON.stringify(bad)} is no session id`);
    const { rows } = await connection.query(
      `SELECT r.session_id, b.session_id FROM crdb_internal.cluster_locks AS w JOIN crdb_internal.cluster_transactions AS r ON r.id = w.txn_id ` +
        `LEFT JOIN crdb_internal.cluster_locks AS h ON h.granted AND h.range_id = w.range_id AND h.lock_key = w.lock_key AND h.txn_id <> w.txn_id ` +
        `LEFT JOIN crdb_internal.cluster_transactions AS b ON b.id = h.txn_id ` +
        `WHERE NOT w.granted AND r.session_id IN (${backends.map((backend) => `'${backend}'`).join(', ')})`,
    );
    const found = new Map<string, string[]>();
    for (const [waiter, other] of rows) {
      const others = found.get(waiter ?? '') ?? [];
      if (other && !others.includes(other)) others.push(other);
      found.set(waiter ?? '', others);
    }
    return found;
  };
  return { waits, blocked: async (backends) => new Set((await waits(backends)).keys()) };
}
