/**
 * Reads what PostgreSQL noted down for a transaction. At SERIALIZABLE these are the SIReadLock entries of pg_locks, by
 * relation, page or tuple of a table or an index. A row lock (FOR UPDATE, the check of a foreign key) stands in the row
 * itself. Another session finds it as a row that FOR UPDATE SKIP LOCKED leaves out.
 */
import type { Connection, Footprints, NotedLock, ResultRow } from '../../core/dialect/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { quoteIdentifier, quoteText } from './quote.ts';

type Locked = Parameters<Footprints['held']>[2]['locked'];

export const FOOTPRINTS: Footprints = {
  levels: { serializable: 'all' },
  unavailable: async () => undefined,
  held: async (connection, backend, { namespace, locked }) => {
    if (!/^\d+$/.test(backend)) throw new InternalError(`${JSON.stringify(backend)} is no backend pid`);
    const { rows } = await connection.query(readLocks(backend, namespace));
    return [...rows.map(readLock), ...(await rowLocks(connection, locked, namespace))];
  },
};

/** Lock types of pg_locks, as kinds. A tuple of an index is never locked. */
const KINDS: Readonly<Record<string, NotedLock['kind']>> = { relation: 'table', page: 'page', tuple: 'row' };

/** An index leads to its table, and a partition to the table that it is a part of. */
function readLocks(backend: string, namespace: string): string {
  return (
    `SELECT DISTINCT coalesce(w.relname, t.relname), CASE WHEN i.indexrelid IS NULL THEN NULL ELSE c.relname END, l.locktype ` +
    `FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation ` +
    `JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid ` +
    `JOIN pg_catalog.pg_class t ON t.oid = coalesce(i.indrelid, c.oid) ` +
    `LEFT JOIN pg_catalog.pg_inherits h ON h.inhrelid = t.oid LEFT JOIN pg_catalog.pg_class w ON w.oid = h.inhparent ` +
    `WHERE l.mode = 'SIReadLock' AND l.pid = ${backend} AND n.nspname = ${quoteText(namespace)}`
  );
}

export function readLock([table, index, type]: ResultRow): NotedLock {
  const kind = KINDS[type ?? ''];
  if (table === null || table === undefined || kind === undefined)
    throw new InternalError(`pg_locks has a SIReadLock of the type ${JSON.stringify(type)} on ${JSON.stringify(table)}`);
  return { table, ...(index !== null && index !== undefined && { index }), kind, mode: 'SIReadLock' };
}

async function rowLocks(connection: Connection, tables: Locked, namespace: string): Promise<readonly NotedLock[]> {
  if (tables.length === 0) return [];
  const names = tables.map(({ name }) => `${quoteIdentifier(namespace)}.${quoteIdentifier(name)}`);
  const free = names.map((name, t) => `f${t} AS (SELECT 1 FROM ${name} FOR UPDATE SKIP LOCKED)`);
  const counts = names.map((name, t) => `(SELECT count(*) FROM ${name}) - (SELECT count(*) FROM f${t})`);
  const { rows } = await connection.query(`WITH ${free.join(', ')} SELECT ${counts.join(', ')}`);
  return tables.flatMap(({ name }, t) => (Number(rows[0]?.[t]) > 0 ? [{ table: name, kind: 'row', mode: 'row lock' } as const] : []));
}
