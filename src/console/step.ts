/** What was sent so far, step by step: the record of a console, from which everything else is derived. */
import type { Statement } from '../../core/sql/index.ts';
import type { DialectLevel, ErrorClass, ResultRow, StatusMismatch } from '../../core/dialect/index.ts';

export type StepKind = 'begin' | 'statement' | 'commit' | 'rollback';
/** `unknown`: the connection was lost while its COMMIT was on its way, or the protocol contradicts a reply. */
export type SteppedOutcome = 'open' | 'committed' | 'aborted' | 'unknown';

export interface Reply {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
  readonly affected: number;
  readonly error?: { readonly class: ErrorClass; readonly code: string; readonly message: string };
}

export interface Step {
  /** From 1, in the order in which they were sent. */
  readonly n: number;
  /** From 0; a reader knows it as S1, S2, ... */
  readonly session: number;
  /** Number of its transaction, from 1. */
  readonly txn: number;
  readonly kind: StepKind;
  /** As it was typed. */
  readonly sql: string;
  /** A BEGIN that nobody typed: it went with the statement behind it. */
  readonly implied?: true;
  /** Of the kind `statement`. */
  readonly statement?: Statement;
  /** It was seen to wait: for these sessions, as the server names them; none: it did not say for whom. */
  waitsFor?: readonly number[];
  /** Its transaction was over with it. */
  ended?: true;
  /** Absent while it is under way. */
  reply?: Reply;
  /** The protocol's transaction status contradicts the reply. */
  mismatch?: StatusMismatch;
  /** The last step that had been sent when the reply came; that is a later one of what waited. */
  repliedAfter?: number;
}

export interface SteppedTxn {
  readonly id: number;
  readonly session: number;
  readonly level: DialectLevel;
  /** Its statements, without its begin and its end. */
  readonly steps: Step[];
  outcome: SteppedOutcome;
  /** How its author ended it; absent: it is open, or the server or a lost connection ended it. */
  end?: 'commit' | 'rollback';
}

export interface SteppedRecord {
  readonly steps: readonly Step[];
  readonly transactions: readonly SteppedTxn[];
  /** A session for each, in their order. */
  readonly sessions: number;
}

export function sessionName(session: number): string {
  return `S${session + 1}`;
}

export function txnName(id: number): string {
  return `T${id}`;
}
