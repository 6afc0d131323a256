/**
 * Which sessions wait for a row, for who asks after every step: SHOW ENGINE INNODB STATUS is no view of a cache and costs a
 * fifth of a millisecond, where the performance schema's locks take ten times as long and the INNODB_* tables show one
 * moment for 100 ms (MySQL 9.7.4, MariaDB 11.8.6). It says who waits, not for whom. MariaDB ends a deadlock before the
 * statement that closes it waits, so nothing more is needed; MySQL finds it a moment later, and there the performance
 * schema's list of waits says who waits for whom. Waits for a table's definition are not seen: nobody changes one.
 *
 *     ---TRANSACTION 22, ACTIVE 0 sec starting index read
 *     LOCK WAIT 2 lock struct(s), heap size 1120, 1 row lock(s)
 *     MariaDB thread id 4, OS thread handle 140280948885184, query id 37 127.0.0.1 root Updating
 */
import type { BlockedWatcher, Connection } from '../../core/index.ts';

interface StatusTransaction {
  readonly id: string;
  readonly thread: string;
  readonly waits: boolean;
}

const STATUS = 'SHOW ENGINE INNODB STATUS';
const WAITS = 'SELECT REQUESTING_ENGINE_TRANSACTION_ID, BLOCKING_ENGINE_TRANSACTION_ID FROM performance_schema.data_lock_waits';

/** `slower`: asked where the user has no right to the status. */
export function watchInnodbStatus(connection: Connection, slower: BlockedWatcher, { named }: { readonly named: boolean }): BlockedWatcher {
  let usable = true;
  const waits = async (backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    if (backends.length === 0) return new Map();
    if (usable) {
      const [status, pairs] = await connection.queryAll!(named ? [STATUS, WAITS] : [STATUS]).catch(() => []);
      const text = status?.rows[0]?.[2];
      if (typeof text === 'string') return waitsIn(readStatus(text), pairs?.rows ?? [], backends);
      usable = false;
    }
    return slower.waits!(backends);
  };
  return { waits, blocked: async (backends) => new Set((await waits(backends)).keys()) };
}

export function readStatus(text: string): readonly StatusTransaction[] {
  return text.split('\n---TRANSACTION ').slice(1).flatMap((block) => {
    const id = /^(?:\d+|\(0x[\da-f]+\))/.exec(block)?.[0]; // MariaDB numbers only who writes
    const thread = /^(?:MySQL|MariaDB) thread id (\d+),/m.exec(block)?.[1];
    return id === undefined || thread === undefined ? [] : [{ id, thread, waits: /^LOCK WAIT /m.test(block) }];
  });
}

function waitsIn(transactions: readonly StatusTransaction[], pairs: readonly (readonly (string | null)[])[], backends: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const threadOf = new Map(transactions.map(({ id, thread }) => [id, thread]));
  const waiting = transactions.filter(({ thread, waits }) => waits && backends.includes(thread));
  return new Map(waiting.map(({ id, thread }) => [thread, [...new Set(pairs.filter(([waiter]) => waiter === id).flatMap(([, other]) => threadOf.get(other ?? '') ?? []))]]));
}
