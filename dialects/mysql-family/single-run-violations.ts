/** The documents of MySQL and MariaDB on violations that a single run shows, whatever order explains its transactions. */
import type { SingleRunViolationRow, PromiseSource } from '../../core/level/index.ts';

/** The vendor's pages, each with what it says. */
export interface ViolationSources {
  /** The page on START TRANSACTION. */
  readonly transaction: PromiseSource & { readonly says: string };
  /** The page on READ UNCOMMITTED. */
  readonly levels: PromiseSource;
  /** The page on consistent reads. */
  readonly consistent: PromiseSource;
  /** The page on foreign keys. */
  readonly keys: PromiseSource & { readonly says: string };
}

export function familyViolations({ transaction, keys, levels, consistent }: ViolationSources): readonly SingleRunViolationRow[] {
  return [
    { kind: 'transaction state', verdict: 'bug', ...transaction },
    { kind: 'damaged tables', verdict: 'bug', ...keys },
    {
      kind: 'part of a transaction',
      levels: ['read-uncommitted'],
      verdict: 'documented',
      says: 'SELECTs do not lock and may use an earlier or uncommitted version of a row: such reads are not consistent (dirty read).',
      ...levels,
    },
    {
      kind: 'part of a transaction',
      reading: 'plain',
      levels: ['read-committed', 'repeatable-read'],
      verdict: 'bug',
      says: 'A consistent read presents a snapshot of the database at a point in time: of the transactions that committed before it, and nothing of later ones.',
      ...consistent,
    },
    {
      kind: 'part of a transaction',
      verdict: 'undocumented',
      says: 'A locking statement uses the most recent state of the database, each row as it comes to it; that all that it sees is one state no page says.',
      ...levels,
    },
  ];
}
