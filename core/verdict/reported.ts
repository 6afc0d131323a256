/** Transactions and statements of a history as a report shows them. */
import type { SentKind, TxnOutcome } from '../history/index.ts';

/** A result as a finding holds it. A long one is cut here, and the history has all of it. */
export interface KeptResult {
  readonly result: readonly (readonly (string | null)[])[] | null;
  /** The number of rows that were cut. */
  readonly resultLeftOut?: number;
}

export interface ReportedStatement extends KeptResult {
  readonly session: number;
  readonly txn: number;
  /** The statement's index in the history, which an anomaly's steps refer to. */
  readonly index: number;
  /** The statement's number within its transaction as sent. */
  readonly number: number;
  readonly kind: SentKind;
  readonly sql: string;
  /** The statement as written, if it was sent with instrumentation. */
  readonly own?: string;
  /** Nanoseconds since the run's start. `replyAt` is null without a reply. */
  readonly invokeAt: number;
  readonly replyAt: number | null;
  readonly blocked: boolean;
  readonly rows: number | null;
  readonly error: string | null;
  /** The server's error code. Absent in files from before 22 November 2026. */
  readonly errorCode?: string;
  /** Row versions that the statement saw. Those of the anomaly's rows come first. */
  readonly versions: readonly ReportedVersion[];
  /** The number of further versions, of other rows, that were cut. */
  readonly versionsLeftOut?: number;
}

export interface ReportedVersion {
  readonly role: 'read' | 'write' | 'delete';
  readonly table: string;
  readonly rid: string;
  /** The version's write list. `…` stands for a front that was cut off. */
  readonly list: string;
}

export interface ReportedTxn {
  readonly id: number;
  /** The user's file's name for it. */
  readonly name?: string;
  readonly session: number;
  readonly outcome: TxnOutcome;
}

/**
 * A row with its key and values. The values are those that the server itself returned, so columns that no statement
 * returned are missing.
 */
export interface ReportedRow {
  readonly table: string;
  /** The row id. */
  readonly row: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** `<txn>.<seq>`, as in write lists -> column -> value as text. */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}
