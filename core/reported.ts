/** Transactions and statements of a history as a report shows them. */
import type { SentKind, TxnOutcome } from './event.ts';

/** A result as a finding holds it: a long one is not repeated there, the history has all of it. */
export interface KeptResult {
  readonly result: readonly (readonly (string | null)[])[] | null;
  /** So many further rows are not here. */
  readonly resultLeftOut?: number;
}

export interface ReportedStatement extends KeptResult {
  readonly session: number;
  readonly txn: number;
  /** Statement index of the history: what an anomaly's steps refer to. */
  readonly index: number;
  /** Number within its transaction as sent. */
  readonly number: number;
  readonly kind: SentKind;
  readonly sql: string;
  /** As it was written, where it was sent with something added to it. */
  readonly own?: string;
  /** Nanoseconds since the run's start; replyAt is null when no reply was seen. */
  readonly invokeAt: number;
  readonly replyAt: number | null;
  readonly blocked: boolean;
  readonly rows: number | null;
  readonly error: string | null;
  /** The server's code of it; absent of files of before 22 November 2026. */
  readonly errorCode?: string;
  /** Row versions seen, those of the anomaly's rows first. */
  readonly versions: readonly ReportedVersion[];
  /** So many further ones, of other rows, are not here. */
  readonly versionsLeftOut?: number;
}

export interface ReportedVersion {
  readonly role: 'read' | 'write' | 'delete';
  readonly table: string;
  readonly rid: string;
  /** Its write list; `…` stands for a front that is not here. */
  readonly list: string;
}

export interface ReportedTxn {
  readonly id: number;
  /** What a user's file calls it. */
  readonly name?: string;
  readonly session: number;
  readonly outcome: TxnOutcome;
}

/** A row as its users know it. What its versions held is what the server itself returned: a column that was not shown is not there. */
export interface ReportedRow {
  readonly table: string;
  /** Its row id. */
  readonly row: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** `<txn>.<seq>`, as in write lists -> column -> value, as text. */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}
