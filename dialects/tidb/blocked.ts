/**
 * Finds which sessions wait for which others (TiDB's documents, information-schema-data-lock-waits and -tidb-trx).
 * DATA_LOCK_WAITS pairs start timestamps, and CLUSTER_TIDB_TRX says whose they are. A transaction that asks for a lock
 * is at once in the state LockWaiting, whether it must wait or not. So that state counts only if two queries some
 * milliseconds apart show it in the same statement.
 */
import type { BlockedWatcher, Connection } from '../../core/dialect/index.ts';
import { InternalError } from '../../core/base/index.ts';

type Rows = readonly (readonly (string | null)[])[];

/** A free lock is granted well within this time. */
const SETTLED_MS = 30;

export function watchBlocked(connection: Connection): BlockedWatcher {
  let asking = new Map<string, number>();
  const waits = async (backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    if (backends.length === 0) return new Map();
    const bad = backends.find((backend) => !/^\d+$/.test(backend));
    if (bad !== undefined) throw new InternalError(`${JSON.stringify(bad)} is no connection id`);
    const { rows } = await connection.query(
      `SELECT 'wait', r.SESSION_ID, b.SESSION_ID, '' FROM information_schema.DATA_LOCK_WAITS w JOIN information_schema.CLUSTER_TIDB_TRX r ON r.ID = w.TRX_ID ` +
        `LEFT JOIN information_schema.CLUSTER_TIDB_TRX b ON b.ID = w.CURRENT_HOLDING_TRX_ID WHERE r.SESSION_ID IN (${backends.join(', ')}) ` +
        `UNION ALL SELECT 'ask', SESSION_ID, NULL, CONCAT(ID, ' ', IFNULL(WAITING_START_TIME, '')) FROM information_schema.CLUSTER_TIDB_TRX WHERE STATE = 'LockWaiting' AND SESSION_ID IN (${backends.join(', ')})`,
    );
    const at = performance.now();
    asking = new Map(rows.filter(([what]) => what === 'ask').map((row) => [keyOf(row), asking.get(keyOf(row)) ?? at]));
    return pairs(rows, (row) => row[0] === 'wait' || at - (asking.get(keyOf(row)) ?? at) >= SETTLED_MS);
  };
  return { waits, blocked: async (backends) => new Set((await waits(backends)).keys()) };
}

const keyOf = ([, session, , since]: readonly (string | null)[]): string => `${session} ${since}`;

function pairs(rows: Rows, counts: (row: readonly (string | null)[]) => boolean): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const [, waiter, other] = row;
    if (!waiter || !counts(row)) continue;
    const others = found.get(waiter) ?? [];
    if (other && !others.includes(other)) others.push(other);
    found.set(waiter, others);
  }
  return found;
}
