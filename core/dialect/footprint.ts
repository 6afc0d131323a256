/**
 * What a server notes down of a transaction's reads and writes: its row and gap locks, and the predicate locks by which
 * PostgreSQL tracks reads (SSI).
 */
import type { Level } from '../level/index.ts';
import type { Table } from '../sql/index.ts';
import type { Connection } from './dialect.ts';

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

export interface Footprints {
  /** The levels that work by locks or by tracked reads. */
  readonly levels: Readonly<Partial<Record<Level, NotedReads>>>;
  /**
   * Makes the server show its locks. Returns the reason if it does not, and what to do. `own`: the server was started by
   * the tool, so that its settings may be changed.
   */
  readonly unavailable: (connection: Connection, own: boolean) => Promise<string | undefined>;
  /**
   * Reads from another connection the locks that the session holds. Intention locks on tables are left out, as they
   * conflict with no access to a row. `locked`: tables whose rows the session may have locked. PostgreSQL has no list of
   * row locks, so each of these tables is asked for rows that another session could not lock.
   */
  readonly held: (
    connection: Connection,
    backend: string,
    where: { readonly namespace: string; readonly locked: readonly Pick<Table, 'name'>[] },
  ) => Promise<readonly NotedLock[]>;
}
