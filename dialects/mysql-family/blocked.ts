/**
 * Finds which sessions wait for which others. MySQL's performance schema shows row locks, table locks and metadata
 * locks. When an UPDATE moves a row within its page, InnoDB recreates the locks that others wait for. They then belong
 * to the moving thread (REQUESTING_THREAD_ID, observed on 9.7.4). So a transaction's thread is read from its table
 * locks.
 *
 * Without the performance schema, and on MariaDB, the INNODB_* tables of the information schema are read. They come from a cache.
 * Only a query more than 100 ms after the last one, from any session, refreshes it. Faster polling would see the same moment
 * forever. Metadata lock waits are in the process list there. MariaDB pairs every two conflicting requests, in both directions if
 * both still wait. That is no deadlock, so a lock that is itself waited for counts as blocking nobody.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockedWatcher, Connection } from '../../core/dialect/index.ts';
import { InternalError } from '../../core/base/index.ts';

type Waits = ReadonlyMap<string, readonly string[]>;

/** Longer than the lifetime of the information schema's cache. */
const CACHE_MS = 110;

export function watchDataLocks(connection: Connection): BlockedWatcher {
  const fallback = watchInnodbLocks(connection);
  let usable: boolean | undefined;
  return watcher(async (backends) => {
    usable ??= await connection.query('SELECT @@performance_schema').then(
      ({ rows }) => rows[0]?.[0] === '1',
      () => false,
    );
    if (!usable) return fallback.waits!(backends);
    const { rows } = await connection.query(
      `SELECT r.PROCESSLIST_ID, b.PROCESSLIST_ID FROM performance_schema.data_lock_waits w ` +
        `JOIN performance_schema.data_locks q ON q.ENGINE_TRANSACTION_ID = w.REQUESTING_ENGINE_TRANSACTION_ID AND q.LOCK_TYPE = 'TABLE' JOIN performance_schema.threads r ON r.THREAD_ID = q.THREAD_ID ` +
        `JOIN performance_schema.data_locks h ON h.ENGINE_TRANSACTION_ID = w.BLOCKING_ENGINE_TRANSACTION_ID AND h.LOCK_TYPE = 'TABLE' JOIN performance_schema.threads b ON b.THREAD_ID = h.THREAD_ID ` +
        `WHERE r.PROCESSLIST_ID IN (${backends.join(', ')}) ` +
        `UNION ALL SELECT r.PROCESSLIST_ID, b.PROCESSLIST_ID FROM performance_schema.metadata_locks p JOIN performance_schema.threads r ON r.THREAD_ID = p.OWNER_THREAD_ID ` +
        `LEFT JOIN performance_schema.metadata_locks g ON g.OBJECT_TYPE = p.OBJECT_TYPE AND (g.OBJECT_SCHEMA = p.OBJECT_SCHEMA OR p.OBJECT_TYPE = 'USER LEVEL LOCK') AND g.OBJECT_NAME <=> p.OBJECT_NAME AND g.LOCK_STATUS = 'GRANTED' AND g.OWNER_THREAD_ID <> p.OWNER_THREAD_ID ` +
        `LEFT JOIN performance_schema.threads b ON b.THREAD_ID = g.OWNER_THREAD_ID WHERE p.LOCK_STATUS = 'PENDING' AND r.PROCESSLIST_ID IN (${backends.join(', ')})`,
    );
    return grouped(rows);
  });
}

export function watchInnodbLocks(connection: Connection): BlockedWatcher {
  let readAt = -Infinity;
  const freshIn = (): number => Math.max(0, CACHE_MS - (performance.now() - readAt));
  const watching = watcher(async (backends) => {
    const early = freshIn();
    if (early > 0) await sleep(early);
    const list = backends.join(', ');
    const { rows } = await connection.query(
      `SELECT r.trx_mysql_thread_id, b.trx_mysql_thread_id FROM information_schema.INNODB_TRX r LEFT JOIN (information_schema.INNODB_LOCK_WAITS w JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_trx_id AND NOT w.blocking_lock_id <=> b.trx_requested_lock_id) ON w.requesting_trx_id = r.trx_id ` +
        `WHERE r.trx_state = 'LOCK WAIT' AND r.trx_mysql_thread_id IN (${list}) ` +
        `UNION ALL SELECT ID, NULL FROM information_schema.PROCESSLIST WHERE (STATE LIKE 'Waiting for % lock' OR STATE = 'User lock') AND ID IN (${list})`,
    );
    readAt = performance.now();
    return grouped(rows);
  });
  return { ...watching, freshIn };
}

function watcher(waits: (backends: readonly string[]) => Promise<Waits>): BlockedWatcher {
  const checked = async (backends: readonly string[]): Promise<Waits> => {
    if (backends.length === 0) return new Map();
    const bad = backends.find((backend) => !/^\d+$/.test(backend));
    if (bad !== undefined) throw new InternalError(`${JSON.stringify(bad)} is no connection id`);
    return waits(backends);
  };
  return { waits: checked, blocked: async (backends) => new Set((await checked(backends)).keys()) };
}

function grouped(rows: readonly (readonly (string | null)[])[]): Waits {
  const waits = new Map<string, string[]>();
  for (const [waiter, other] of rows) {
    const others = waits.get(waiter ?? '') ?? [];
    if (other !== null && other !== undefined && !others.includes(other)) others.push(other);
    waits.set(waiter ?? '', others);
  }
  return waits;
}
