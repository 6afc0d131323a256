/**
 * What a server notes down of a transaction's reads and writes: its row and gap locks, and the predicate locks by which
 * PostgreSQL tracks reads (SSI).
 */

export interface NotedLock {
  /** The user's table. A lock on a partition counts for the table. */
  readonly table: string;
  /** Absent: the lock is on the table's rows and not on an entry of an index. */
  readonly index?: string;
  /** `row and gap`: the row and the gap before it (InnoDB's next-key lock). */
  readonly kind: 'table' | 'page' | 'row' | 'gap' | 'row and gap';
  /** The server's own name of the mode, such as `SIReadLock` or `S`. */
  readonly mode: string;
}

/** Reads whose locks a level takes. `locking`: only locking reads and writes, since plain reads use a snapshot. */
export type NotedReads = 'all' | 'locking';
