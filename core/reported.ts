/** Transactions and statements of a history as a report shows them. */
import type { SentKind, TxnOutcome } from './event.ts';

export interface ReportedStatement {
  readonly session: number;
  readonly txn: number;
  /** Statement index of the history: what an anomaly's steps refer to. */
  readonly index: number;
  /** Number within its transaction as sent. */
  readonly number: number;
  readonly kind: SentKind;
  readonly sql: string;
  /** Nanoseconds since the run's start; replyAt is null when no reply was seen. */
  readonly invokeAt: number;
  readonly replyAt: number | null;
  readonly blocked: boolean;
  readonly rows: number | null;
  readonly error: string | null;
  /** The server's code of it; absent of files of before 22 November 2026. */
  readonly errorCode?: string;
  readonly result: readonly (readonly (string | null)[])[] | null;
  /** Row versions seen: table, rid, list triples, flattened, with their role. */
  readonly versions: readonly { readonly role: 'read' | 'write' | 'delete'; readonly table: string; readonly rid: string; readonly list: string }[];
}

export interface ReportedTxn {
  readonly id: number;
  /** What a user's file calls it. */
  readonly name?: string;
  readonly session: number;
  readonly outcome: TxnOutcome;
}
