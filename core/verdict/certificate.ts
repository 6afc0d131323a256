/**
 * The raw evidence of a finding. It holds every observation of the rows on its edges, the statements behind them, the
 * writes in their lists, and the transactions' outcomes. A certificate holds no conclusions, so that another program
 * can draw them again (`anomalist verify`, docs/REPORTS.md).
 */
import type { Reference, SentKind, TxnOutcome } from '../history/index.ts';
import type { Level } from '../level/index.ts';
import type { StatusMismatch } from '../dialect/index.ts';

export interface Certificate {
  readonly version: 1;
  readonly level: Level;
  readonly instrument: string;
  /** The round came to its end, so `transactions` holds the sender of every row version that a read can show. */
  readonly complete: boolean;
  /** The foreign keys between the tables. Their actions change rows that no statement names. Absent: not known. */
  readonly references?: readonly Pick<Reference, 'table' | 'parent' | 'onDelete' | 'onUpdate'>[];
  /** The certificate holds every observation that the round made of these rows. */
  readonly rows: readonly { readonly table: string; readonly row: string }[];
  readonly transactions: readonly CertifiedTxn[];
  readonly statements: readonly CertifiedStatement[];
  /** The conditions behind the predicate edges, as the database evaluated them. */
  readonly predicates: readonly CertifiedPredicate[];
}

export interface CertifiedTxn {
  readonly id: number;
  readonly session: number;
  /** The outcome as the runner knew it. */
  readonly outcome: TxnOutcome;
  readonly autocommit?: true;
  /** When its first statement was sent and when its commit was acknowledged, in nanoseconds since the run's start. */
  readonly begin: number | null;
  readonly end: number | null;
  /** When its last statement was answered. Null: some statement has no reply. Absent: not known. */
  readonly over?: number | null;
}

export interface CertifiedStatement {
  readonly txn: number;
  /** The statement's number within its transaction as sent. */
  readonly number: number;
  readonly kind: SentKind;
  /** The write's number in its transaction. */
  readonly seq?: number;
  /** The tables that a write writes, separated by commas. */
  readonly table?: string;
  readonly reads?: string;
  /** The tables that the statement's locking clauses reach. Absent for a query: not known. */
  readonly locks?: readonly string[];
  readonly status: 'ok' | 'failed' | 'open';
  /** The statement took no effect: it failed, or its transaction rolled back to an earlier savepoint. */
  readonly undone?: true;
  readonly incomplete?: true;
  /** The protocol's transaction status contradicted its reply. */
  readonly statusMismatch?: StatusMismatch;
  readonly sent: number;
  readonly replied: number | null;
  /** Role, table, row id and write list. A list whose front was cut off begins without a comma. */
  readonly seen: readonly (readonly ['read' | 'write' | 'delete', string, string, string])[];
}

export interface CertifiedPredicate {
  readonly txn: number;
  readonly number: number;
  readonly table: string;
  /** The statement reads the table by other conditions too. */
  readonly beside?: true;
  /** The condition stands in a subquery that the server need not have evaluated. The run shows that it did. */
  readonly conditional?: true;
  /** The statement looked for a key and met a row that holds it. The run shows that no other row can be meant. */
  readonly met?: true;
  /** There is no condition: every version satisfies it. */
  readonly all?: true;
  /** For each row of `rows`, whether version `<txn>.<seq>` satisfies the condition. Versions not named: not known. */
  readonly matches: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}
