/**
 * A server's answer to one statement: rows as text, or an error and what it means for the transaction. ReadsTag says
 * how much of its reads is visible.
 */

/** Values as the server's text, NULL as null. */
export type ResultRow = readonly (string | null)[];

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
  /** Rows returned or affected. */
  readonly affected: number;
  /** For an UPDATE whose `affected` counts the matched rows: the rows that it changed. */
  readonly changed?: number;
}

/** How far the effect of an error reaches. */
export type ErrorScope = 'statement' | 'transaction' | 'connection';

export type ErrorClass =
  | 'deadlock'
  | 'serialization'
  | 'lock timeout'
  | 'statement timeout'
  | 'constraint'
  | 'data'
  | 'aborted transaction'
  | 'connection'
  | 'ambiguous commit'
  | 'permission'
  | 'syntax'
  | 'other';

export interface ClassifiedError {
  readonly code: string;
  readonly class: ErrorClass;
  readonly scope: ErrorScope;
  /** The server's words, without credentials. */
  readonly message: string;
  /** The server reported no error: it said that the statement succeeded, but its transaction was gone. */
  readonly saidToSucceed?: true;
}

/** The transaction status that the protocol reports with a reply. `failed`: in a transaction that can only be rolled back. */
export type TransactionStatus = 'outside' | 'inside' | 'failed';

/** A reply's protocol contradicts what the reply itself says: nobody knows what became of the transaction. */
export interface StatusMismatch {
  readonly expected: TransactionStatus;
  readonly reported: TransactionStatus;
}

export type InstrumentMode = 'exact' | 'paper' | 'none';

/** How much of what a statement read its probe shows: all of it, a part, or nothing. */
export type ReadsTag = 'exact' | 'partial' | 'none';
