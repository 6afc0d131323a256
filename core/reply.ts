/** What a server answers to one statement: rows as text, or an error with what it means for its transaction; and how much of what it read is seen. */

/** Values as the server's text, NULL as null. */
export type ResultRow = readonly (string | null)[];

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
  /** Rows returned or affected. */
  readonly affected: number;
  /** Of an UPDATE whose affected rows are the matched ones: those that it says to have changed. */
  readonly changed?: number;
}

/** How an error bears on the transaction it hit. */
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
  /** No error of the server's: it said that the statement succeeded, and its transaction was gone. */
  readonly saidToSucceed?: true;
}

/** Where a session stands, as its protocol says with a reply. `failed`: in a transaction that can only be rolled back. */
export type TransactionStatus = 'outside' | 'inside' | 'failed';

/** A reply's protocol contradicts what the reply itself says: nobody knows what became of the transaction. */
export interface StatusMismatch {
  readonly expected: TransactionStatus;
  readonly reported: TransactionStatus;
}

export type InstrumentMode = 'exact' | 'paper' | 'none';

/** How much of what a statement read its probe shows: all of it, a part, or nothing. */
export type ReadsTag = 'exact' | 'partial' | 'none';
