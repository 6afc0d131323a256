/**
 * Tells which statement made write (transaction, seq), and how that write ended. Outcomes belong to writes, since a
 * failed statement and a rolled back savepoint undo theirs in a transaction that commits.
 */
import { NONE, TXN_STATUS } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import { FirstOfPair } from '../../graph/index.ts';

/** The outcome of a write that a list names. */
export const WRITE_OUTCOME = {
  /** The outcome is not known, so the write takes part in no order. */
  unknown: 0,
  committed: 1,
  aborted: 2,
  /** No transaction of this complete history made it. */
  thinAir: 3,
} as const;

export interface Writers {
  /** Returns the statement that made the write, or NONE. */
  statement(txn: number, seq: number): number;
  /** Returns the WRITE_OUTCOME of the write. `table` is the row's table, undefined or '' if it is not known. */
  writeOutcome(txn: number, seq: number, table: string | undefined): number;
  /** Counts an unknown transaction as committed from now on. */
  upgrade(txn: number): void;
  committed(txn: number): boolean;
}

export function indexWriters(history: History): Writers {
  const { transactions, statements, complete } = history;
  const status = transactions.status.slice();
  const byWrite = new FirstOfPair(statements.count, statements.txn, statements.seq);

  const statement = (txn: number, seq: number): number => byWrite.find(txn, seq);

  const writeOutcome = (txn: number, seq: number, table: string | undefined): number => {
    if (txn === 0) return seq === 0 ? WRITE_OUTCOME.committed : complete ? WRITE_OUTCOME.thinAir : WRITE_OUTCOME.unknown;
    if (status[txn] === TXN_STATUS.aborted) return WRITE_OUTCOME.aborted;
    const s = transactions.present[txn] === 1 ? statement(txn, seq) : NONE;
    if (s === NONE) return complete ? WRITE_OUTCOME.thinAir : WRITE_OUTCOME.unknown;
    const targets = statements.tables[s];
    if (complete && table && targets?.includes(table) === false) return WRITE_OUTCOME.thinAir;
    // An autocommit statement that failed may have committed (a connection lost under it), so its transaction's outcome
    // counts.
    if (statements.undone[s] === 1 && transactions.autocommit[txn] === 0) return WRITE_OUTCOME.aborted;
    return status[txn] === TXN_STATUS.unknown ? WRITE_OUTCOME.unknown : WRITE_OUTCOME.committed;
  };

  return {
    statement,
    writeOutcome,
    upgrade: (txn) => {
      status[txn] = TXN_STATUS.committed;
    },
    committed: (txn) => status[txn] === TXN_STATUS.committed,
  };
}
