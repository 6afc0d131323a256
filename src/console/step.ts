/** The record of a console holds each step that was sent. Everything else is derived from it. */
import type { Statement } from '../../core/sql/index.ts';
import type { DialectLevel, ErrorClass, ResultRow, StatusMismatch } from '../../core/dialect/index.ts';

export type StepKind = 'begin' | 'statement' | 'commit' | 'rollback';
/** The outcome is `unknown` if the connection was lost while a COMMIT was on its way, or if the protocol contradicts a reply. */
export type SteppedOutcome = 'open' | 'committed' | 'aborted' | 'unknown';

export interface Reply {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
  readonly affected: number;
  readonly error?: { readonly class: ErrorClass; readonly code: string; readonly message: string };
}

export interface Step {
  /** The steps are numbered from 1, in the order of sending. */
  readonly n: number;
  /** The sessions are numbered from 0. A reader sees them as S1, S2, ... */
  readonly session: number;
  /** The transactions are numbered from 1. */
  readonly txn: number;
  readonly kind: StepKind;
  /** The user typed this text. */
  readonly sql: string;
  /** Nobody typed this BEGIN. It was sent with the statement after it. */
  readonly implied?: true;
  /** Present if the kind is `statement`. */
  readonly statement?: Statement;
  /** The server reported that it waits for these sessions. Empty: the server does not say for which. Absent: it did not wait. */
  waitsFor?: readonly number[];
  /** True if the transaction ended with this step. */
  ended?: true;
  /** The reply is absent while the statement is under way. */
  reply?: Reply;
  /** The protocol's transaction status contradicts the reply. */
  mismatch?: StatusMismatch;
  /** The step of this number was the last one sent when the reply came. For a statement that waited it is a later step. */
  repliedAfter?: number;
}

export interface SteppedTxn {
  readonly id: number;
  readonly session: number;
  readonly level: DialectLevel;
  /** The list has the statements without the begin and the end. */
  readonly steps: Step[];
  outcome: SteppedOutcome;
  /** Its author chose this end. Absent: it is open, or the server or a lost connection ended it. */
  end?: 'commit' | 'rollback';
}

export interface SteppedRecord {
  readonly steps: readonly Step[];
  readonly transactions: readonly SteppedTxn[];
  /** The console has so many sessions. */
  readonly sessions: number;
}

export function sessionName(session: number): string {
  return `S${session + 1}`;
}

export function txnName(id: number): string {
  return `T${id}`;
}
