/**
 * Finds who waits for whom in MySQL, for callers that ask after every step. It reads row locks only, since no program
 * changes a table's definition.
 *
 * The question reads data_lock_waits alone: joined to data_locks it takes the server five to seven times as long. The
 * global counters of waiting locks cost as much as that table, and count the waits of everybody. As in blocked.ts, a
 * transaction's thread is read from its table locks, and only where a wait names a transaction that is not known yet.
 */
import type { BlockedWatcher, Connection } from '../../core/dialect/index.ts';

const WAITS = `SELECT REQUESTING_ENGINE_TRANSACTION_ID, BLOCKING_ENGINE_TRANSACTION_ID FROM performance_schema.data_lock_waits`;

const TRANSACTIONS =
  `SELECT l.ENGINE_TRANSACTION_ID, t.PROCESSLIST_ID FROM performance_schema.data_locks l ` +
  `JOIN performance_schema.threads t ON t.THREAD_ID = l.THREAD_ID WHERE l.LOCK_TYPE = 'TABLE'`;

/**
 * The id of a transaction that has only read is the address of its object, which a session keeps until it is closed.
 * Another session may have the address then, so what is known lasts for this long.
 */
const KNOWN_MS = 1_000;

/** `slower` is used if the performance schema is off. */
export function watchRowLocks(connection: Connection, slower: BlockedWatcher): BlockedWatcher {
  let usable: boolean | undefined;
  const sessions = new Transactions(connection);
  const waits = async (backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    if (usable === undefined) {
      usable = await isUsable(connection);
      if (usable) await sessions.ask(); // A user without the right to this table learns it at the first question.
    }
    if (!usable) return slower.waits!(backends);
    const pairs = (await connection.query(WAITS)).rows.map(([waiter, other]) => [waiter ?? '', other ?? ''] as const);
    await sessions.learn(pairs.flat());
    const found = new Map<string, Set<string>>();
    for (const [waiter, other] of pairs) {
      const backend = sessions.of(waiter);
      if (backend === undefined || !backends.includes(backend)) continue;
      const others = found.get(backend) ?? new Set();
      const holder = sessions.of(other); // Unknown: it ended between the two queries, or it belongs to no session.
      found.set(backend, holder === undefined ? others : others.add(holder));
    }
    return new Map([...found].map(([backend, others]) => [backend, [...others]]));
  };
  return { waits, blocked: async (backends) => new Set((await waits(backends)).keys()) };
}

async function isUsable(connection: Connection): Promise<boolean> {
  return connection.query('SELECT @@performance_schema').then(
    ({ rows }) => rows[0]?.[0] === '1',
    () => false,
  );
}

/** The sessions of the transactions that hold locks. */
class Transactions {
  private readonly connection: Connection;
  private readonly known = new Map<string, string>();
  private since = -Infinity;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Asks for the sessions if one of these transactions is not known. */
  async learn(transactions: readonly string[]): Promise<void> {
    if (performance.now() - this.since > KNOWN_MS) this.known.clear();
    if (transactions.every((each) => this.known.has(each))) return;
    if (this.known.size === 0) this.since = performance.now();
    await this.ask();
  }

  async ask(): Promise<void> {
    for (const [transaction, session] of (await this.connection.query(TRANSACTIONS)).rows) this.known.set(transaction ?? '', session ?? '');
  }

  of(transaction: string): string | undefined {
    return this.known.get(transaction);
  }
}
