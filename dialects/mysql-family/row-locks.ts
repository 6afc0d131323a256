/**
 * Finds who waits for whom in MySQL, for callers that ask after every step. It reads row locks only, since no program
 * changes a table's definition, and looks up the sessions' threads once. As in blocked.ts, a transaction's thread is
 * read from its table locks.
 */
import type { BlockedWatcher, Connection } from '../../core/dialect/index.ts';

const WAITS =
  `SELECT q.THREAD_ID, h.THREAD_ID FROM performance_schema.data_lock_waits w ` +
  `JOIN performance_schema.data_locks q ON q.ENGINE_TRANSACTION_ID = w.REQUESTING_ENGINE_TRANSACTION_ID AND q.LOCK_TYPE = 'TABLE' ` +
  `JOIN performance_schema.data_locks h ON h.ENGINE_TRANSACTION_ID = w.BLOCKING_ENGINE_TRANSACTION_ID AND h.LOCK_TYPE = 'TABLE'`;

/** `slower` is used if the performance schema is off. */
export function watchRowLocks(connection: Connection, slower: BlockedWatcher): BlockedWatcher {
  let usable: boolean | undefined;
  const sessions = new Map<string, string>();
  const learn = async (): Promise<void> => {
    for (const [thread, session] of (
      await connection.query(`SELECT THREAD_ID, PROCESSLIST_ID FROM performance_schema.threads WHERE PROCESSLIST_ID IS NOT NULL`)
    ).rows)
      sessions.set(thread ?? '', session ?? '');
  };
  const waits = async (backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    usable ??= await connection.query('SELECT @@performance_schema').then(
      ({ rows }) => rows[0]?.[0] === '1',
      () => false,
    );
    if (!usable) return slower.waits!(backends);
    const { rows } = await connection.query(WAITS);
    if (rows.some((pair) => pair.some((thread) => !sessions.has(thread ?? '')))) await learn();
    const found = new Map<string, string[]>();
    for (const [waiter, other] of rows) {
      const backend = sessions.get(waiter ?? '') ?? '';
      if (backends.includes(backend)) found.set(backend, [...(found.get(backend) ?? []), sessions.get(other ?? '') ?? '']);
    }
    return found;
  };
  return { waits, blocked: async (backends) => new Set((await waits(backends)).keys()) };
}
