/**
 * Reads the locks that InnoDB holds for a session: from performance_schema.data_locks on MySQL, and on MariaDB from SHOW
 * ENGINE INNODB STATUS, which lists locks only while innodb_status_output_locks is on. An implicit lock, which a row has
 * from the transaction that wrote it, is in neither list.
 */
import type { Footprints, NotedLock, ResultRow } from '../../core/dialect/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { quoteText } from './quote.ts';

/** At REPEATABLE READ a plain SELECT reads a snapshot and locks nothing. */
const LEVELS: Footprints['levels'] = { serializable: 'all', 'repeatable-read': 'locking' };

export const DATA_LOCK_FOOTPRINTS: Footprints = {
  levels: LEVELS,
  unavailable: async (connection) => {
    const asked = connection.query('SELECT COUNT(*) FROM performance_schema.data_locks LIMIT 1');
    const refused = await asked.then(() => undefined, wordsOf);
    if (refused !== undefined)
      return `performance_schema.data_locks cannot be read (${refused}); grant the right: GRANT SELECT ON performance_schema.* TO ...`;
    const { rows } = await connection.query('SELECT @@performance_schema');
    return rows[0]?.[0] === '1' ? undefined : 'the performance schema is off; start the server with performance_schema=ON';
  },
  held: async (connection, backend, { namespace }) => {
    const { rows } = await connection.query(
      `SELECT DISTINCT OBJECT_NAME, INDEX_NAME, LOCK_TYPE, LOCK_MODE, LOCK_DATA = 'supremum pseudo-record' FROM performance_schema.data_locks ` +
        `WHERE OBJECT_SCHEMA = ${quoteText(namespace)} AND LOCK_STATUS = 'GRANTED' AND THREAD_ID = ` +
        `(SELECT THREAD_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = ${asNumber(backend)})`,
    );
    return once(rows.flatMap(dataLock));
  },
};

export const INNODB_STATUS_FOOTPRINTS: Footprints = {
  levels: LEVELS,
  unavailable: async (connection, own) => {
    if (own) await connection.query('SET GLOBAL innodb_status_output_locks = ON');
    const { rows } = await connection.query('SELECT @@GLOBAL.innodb_status_output_locks');
    if (rows[0]?.[0] !== '1')
      return 'the server does not list its locks, and its settings are not ours to change; run there: SET GLOBAL innodb_status_output_locks = ON';
    const refused = await connection.query('SHOW ENGINE INNODB STATUS').then(() => undefined, wordsOf);
    return refused && `SHOW ENGINE INNODB STATUS is refused (${refused}); grant the right: GRANT PROCESS ON *.* TO ...`;
  },
  held: async (connection, backend, { namespace }) => {
    const status = (await connection.query('SHOW ENGINE INNODB STATUS')).rows[0]?.[2];
    return statusLocks(status ?? '', asNumber(backend), namespace);
  },
};

/** A row of data_locks: table, index, type, mode, and whether the lock is on the end of the index. */
export function dataLock([table, index, type, mode, isEnd]: ResultRow): readonly NotedLock[] {
  if (table === null || table === undefined || mode === null || mode === undefined)
    throw new InternalError('a row of performance_schema.data_locks has no table or no mode');
  const [strength = '', ...parts] = mode.split(',');
  if (type === 'TABLE') return tableLock(table, strength);
  const kind = parts.includes('REC_NOT_GAP') ? 'row' : parts.includes('GAP') || isEnd === '1' ? 'gap' : 'row and gap';
  return recordLock({ table, index: index ?? undefined, kind, mode: strength, isInsertion: parts.includes('INSERT_INTENTION') });
}

/**
 * Returns the locks of one connection from the text of the status. Behind each lock stand its records. Heap number 1 is
 * the end of the index (supremum), which is a gap and no row.
 *
 *     ---TRANSACTION 22, ACTIVE 0 sec
 *     MariaDB thread id 4, OS thread handle 140280948885184, query id 37 127.0.0.1 root
 *     TABLE LOCK table `shop`.`t` trx id 22 lock mode IS
 *     RECORD LOCKS space id 5 page no 3 n bits 72 index PRIMARY of table `shop`.`t` trx id 22 lock mode S locks rec but not gap
 *     Record lock, heap no 2 PHYSICAL RECORD: n_fields 5; compact format; info bits 0
 */
export function statusLocks(status: string, connection: string, namespace: string): readonly NotedLock[] {
  const blocks = status.split('\n---TRANSACTION ').slice(1);
  const own = blocks.find((block) => new RegExp(`^MariaDB thread id ${connection},`, 'm').test(block)) ?? '';
  return once(own.split(/\n(?=TABLE LOCK |RECORD LOCKS )/).flatMap((lock) => statusLock(lock, namespace)));
}

const TABLE_LOCK = /^TABLE LOCK table `([^`]+)`\.`([^`]+)`.* lock mode (\S+)/;
const RECORD_LOCK = /^RECORD LOCKS .* index (.+) of table `([^`]+)`\.`([^`]+)`.* lock[_ ]mode (\S+)(.*)$/m;
const HEAP_NUMBER = /^Record lock, heap no (\d+) /gm;
const SUPREMUM = '1';
/** InnoDB's name of a partition's table. */
const PARTITION = /#P#.*$/i;

function statusLock(lock: string, namespace: string): readonly NotedLock[] {
  const table = TABLE_LOCK.exec(lock);
  if (table !== null) return table[1] === namespace ? tableLock(table[2]!.replace(PARTITION, ''), table[3]!) : [];
  const [, index, database, name, mode, more = ''] = RECORD_LOCK.exec(lock) ?? [];
  if (database !== namespace || more.includes('waiting')) return [];
  const isInsertion = more.includes('insert intention');
  return statusKinds(lock, more).flatMap((kind) =>
    recordLock({ table: name!.replace(PARTITION, ''), index: index!.replaceAll('`', ''), kind, mode: mode!, isInsertion }),
  );
}

function statusKinds(lock: string, more: string): readonly NotedLock['kind'][] {
  if (more.includes('rec but not gap')) return ['row'];
  if (more.includes('gap before rec')) return ['gap'];
  const records = [...lock.matchAll(HEAP_NUMBER)].map(([, heap]) => heap);
  return [
    ...(records.includes(SUPREMUM) ? (['gap'] as const) : []),
    ...(records.some((heap) => heap !== SUPREMUM) ? (['row and gap'] as const) : []),
  ];
}

/** Every statement takes an intention lock (IS, IX) on its tables, whatever rows it reads. */
function tableLock(table: string, mode: string): readonly NotedLock[] {
  return mode === 'S' || mode === 'X' ? [{ table, kind: 'table', mode }] : [];
}

interface RecordLock extends Omit<NotedLock, 'index'> {
  readonly index: string | undefined;
  readonly isInsertion: boolean;
}

/** An insert intention keeps nobody from anything. */
function recordLock({ index, isInsertion, ...lock }: RecordLock): readonly NotedLock[] {
  return isInsertion ? [] : [{ ...lock, ...(index !== undefined && { index }) }];
}

function once(locks: readonly NotedLock[]): readonly NotedLock[] {
  return [...new Map(locks.map((lock) => [JSON.stringify([lock.table, lock.index, lock.kind, lock.mode]), lock])).values()];
}

function asNumber(backend: string): string {
  if (!/^\d+$/.test(backend)) throw new InternalError(`${JSON.stringify(backend)} is no connection id`);
  return backend;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
