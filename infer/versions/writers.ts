/**
 * Which statement made write (transaction, seq), and how that write ended: outcomes belong to writes, since a failed
 * statement and a rolled back savepoint undo theirs in a transaction that commits.
 */
import { NONE, TXN_STATUS } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import { FirstOfPair } from '../../graph/index.ts';

/** What became of a write that a list names. */
export const WRITE_OUTCOME = {
  /** Its outcome is not known: it takes part in no order. */
  unknown: 0,
  committed: 1,
  aborted: 2,
  /** No transaction of this complete history made it. */
  thinAir: 3,
} as const;

export interface Writers {
  /** Statement that made the write, NONE if there is none. */
  statement(txn: number, seq: number): number;
  /** WRITE_OUTCOME of the write. `table` is the row's, if it is known: undefined or '' if not. */
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
    // An autocommit statement that failed may have committed (a connection lost under it): its transaction's outcome counts.
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
