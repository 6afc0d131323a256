/**
 * What a finding rests on, raw: every observation of the rows that its edges are about, by whomever; the statements
 * that made them and the writes that they name; how these transactions ended. Nothing here is a conclusion, so that
 * another program can draw them again (`anomalist verify`, docs/REPORTS.md).
 */
import type { Reference, SentKind, TxnOutcome } from './event.ts';
import type { Level } from './level.ts';
import type { StatusMismatch } from './reply.ts';

export interface Certificate {
  readonly version: 1;
  readonly level: Level;
  readonly instrument: string;
  /** The round was closed in order: every write that a list can name was sent by one of `transactions`. */
  readonly complete: boolean;
  /** The foreign keys between the tables, by whose actions a transaction changes rows without naming them. Absent: not known. */
  readonly references?: readonly Pick<Reference, 'table' | 'parent' | 'onDelete' | 'onUpdate'>[];
  /** Of these rows every observation of the round is here. */
  readonly rows: readonly { readonly table: string; readonly row: string }[];
  readonly transactions: readonly CertifiedTxn[];
  readonly statements: readonly CertifiedStatement[];
  /** What the database answered when it evaluated the conditions of the statements that predicate edges rest on. */
  readonly predicates: readonly CertifiedPredicate[];
}

export interface CertifiedTxn {
  readonly id: number;
  readonly session: number;
  /** As the runner knew it. */
  readonly outcome: TxnOutcome;
  readonly autocommit?: true;
  /** Its first statement was sent, its commit was acknowledged: nanoseconds since the run's start. */
  readonly begin: number | null;
  readonly end: number | null;
  /** The last reply of any of its statements; null: one has none. Absent: not known. */
  readonly over?: number | null;
}

export interface CertifiedStatement {
  readonly txn: number;
  /** Number within its transaction as sent. */
  readonly number: number;
  readonly kind: SentKind;
  /** The write's number in its transaction. */
  readonly seq?: number;
  /** What a write writes, with commas between. */
  readonly table?: string;
  readonly reads?: string;
  /** Tables that locking clauses reach in it; of a query, absent: not known. */
  readonly locks?: readonly string[];
  readonly status: 'ok' | 'failed' | 'open';
  /** It took no effect: it failed, or a savepoint before it was rolled back. */
  readonly undone?: true;
  readonly incomplete?: true;
  /** The protocol's transaction status contradicted its reply. */
  readonly statusMismatch?: StatusMismatch;
  readonly sent: number;
  readonly replied: number | null;
  /** Role, table, row id, write list; a list whose front was cut off begins without a comma. */
  readonly seen: readonly (readonly ['read' | 'write' | 'delete', string, string, string])[];
}

export interface CertifiedPredicate {
  readonly txn: number;
  readonly number: number;
  readonly table: string;
  /** The statement reads the table by other conditions too. */
  readonly beside?: true;
  /** Of a subquery that need not have been read; that it was is taken from the run. */
  readonly conditional?: true;
  /** A key was looked for, and a row met that holds it; that no other row can be the one is taken from the run. */
  readonly met?: true;
  /** There is no condition: every version satisfies it. */
  readonly all?: true;
  /** Of each row of `rows`: `<txn>.<seq>` -> does this version satisfy the condition? Versions not named: not known. */
  readonly matches: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}
