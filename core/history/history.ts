/**
 * One round's history in columns, which infer/ and check/ read. Everything has dense numbers: transactions (0 is the
 * initial state), statements in file order, rows and observations. An observation's write list is a slice of `entries`.
 * The builder (history-builder.ts) reads live events or a file, so that `run` and `check` see the same.
 */
import type { EvaluatedEvent, Image, ImagesEvent, RoundEvent, SentKind, TxnOutcome, RowCombinations } from './event.ts';
import type { UnobservedName } from './unobserved.ts';
import type { Level } from '../level/index.ts';
import type { Note } from './note.ts';
import type { ObjectOperation } from './object-operation.ts';
import type { ErrorClass, ReadsTag, StatusMismatch } from '../dialect/index.ts';

/** The outcomes, in the order of TXN_STATUS. */
export const TXN_OUTCOMES: readonly TxnOutcome[] = ['unknown', 'committed', 'aborted'];

/** Column value of `Statements.status`: no reply seen, succeeded, failed. */
export const STATEMENT_STATUS = { open: 0, ok: 1, failed: 2 } as const;
export const STATEMENT_STATUSES: readonly (keyof typeof STATEMENT_STATUS)[] = ['open', 'ok', 'failed'];

/** Column value of `Observations.role`. */
export const ROLE = { read: 0, write: 1, delete: 2 } as const;
export const ROLES: readonly (keyof typeof ROLE)[] = ['read', 'write', 'delete'];

/** Marks "none" in Int32 columns. */
export const NONE = -1;

export interface Transactions {
  readonly count: number;
  /** The transaction's id in the test case and in write-list entries. id[0] is 0, the initial state. */
  readonly id: Int32Array;
  readonly session: Int32Array;
  /** One of TXN_STATUS. A transaction that only write lists name is unknown and has session NONE. */
  readonly status: Uint8Array;
  /** When BEGIN, or the autocommit statement, was sent. NaN if the history does not hold it. */
  readonly beginAt: Float64Array;
  /** When COMMIT was answered. NaN if the history holds no reply. */
  readonly endAt: Float64Array;
  /** 1: its events are in this history. 0: only a write list names it. */
  readonly present: Uint8Array;
  /** 1: sent without BEGIN. */
  readonly autocommit: Uint8Array;
  /** The transaction's level, if it is not the round's. */
  readonly level: readonly (Level | undefined)[];
}

/** Why a statement failed, as the dialect classified it. */
export interface StatementError {
  readonly code: string;
  readonly class: ErrorClass;
  readonly message: string;
}

/** The error as reports show it. */
export function errorText({ code, class: of, message }: StatementError): string {
  return `${code} ${of}: ${message}`;
}

export interface Statements {
  readonly count: number;
  readonly txn: Int32Array;
  /** Number within the transaction as sent. */
  readonly index: Int32Array;
  readonly kind: readonly SentKind[];
  readonly sql: readonly string[];
  /** For statements of a key-value round: what they do to which object. */
  readonly operation: readonly (ObjectOperation | undefined)[];
  /** The write's number, NONE for others. */
  readonly seq: Int32Array;
  /** The position in the transaction's plan. NONE for control statements and where the file does not say. */
  readonly plan: Int32Array;
  /** STATEMENT_STATUS. */
  readonly status: Uint8Array;
  /** 1: its writes took no effect although its transaction may commit (it failed, or a savepoint was rolled back). */
  readonly undone: Uint8Array;
  /** 1: observations may be missing. */
  readonly incomplete: Uint8Array;
  readonly reads: readonly (ReadsTag | undefined)[];
  readonly reason: readonly (string | undefined)[];
  /** The tables that a write statement writes. Undefined: the statement is no write, or they are not known. */
  readonly tables: readonly (readonly string[] | undefined)[];
  /** Tables that locking clauses reach, in the statement and its views. Undefined: none in a write, not known for a query. */
  readonly locks: readonly (readonly string[] | undefined)[];
  /** 1: some read outside `locks` takes no lock, or takes one on some servers only. */
  readonly nested: Uint8Array;
  /** Nanoseconds since the run's start. `replyAt` is NaN without a reply. */
  readonly invokeAt: Float64Array;
  readonly replyAt: Float64Array;
  /** Rows returned or affected, NONE if not known. */
  readonly rows: Int32Array;
  /** 1: an UPDATE whose rows all held their new values already. The server then makes no version of them. */
  readonly unchanged: Uint8Array;
  readonly error: readonly (StatementError | undefined)[];
  readonly blocked: Uint8Array;
  readonly result: readonly (readonly (readonly (string | null)[])[] | undefined)[];
}

export interface Rows {
  readonly count: number;
  readonly rid: readonly string[];
  readonly table: readonly string[];
  /** The entry that the row id names as its birth: transaction id (not index) and seq. Initial rows have 0 and 0. */
  readonly birthTxn: Int32Array;
  readonly birthSeq: Int32Array;
}

export interface Observations {
  readonly count: number;
  readonly statement: Int32Array;
  readonly row: Int32Array;
  /** ROLE. */
  readonly role: Uint8Array;
  /** The slice of entries [start, start + length). A cut first entry was dropped, and adjacent repeats count once. */
  readonly start: Uint32Array;
  readonly length: Uint32Array;
  /** 1: the list reaches back to the row's birth, so that nothing was cut off its front. */
  readonly whole: Uint8Array;
  /** User columns of the version, where the statement returned them. */
  readonly image: readonly (Image | undefined)[];
}

/**
 * Predicate reads that the DBMS evaluated after the run. Each statement examined every row of its table, and `matches`
 * holds the versions that satisfy its WHERE. Versions are numbered over all tables. A version without a number is not
 * known.
 */
export interface Predicates {
  readonly count: number;
  readonly statement: Int32Array;
  readonly table: readonly string[];
  /** The number of the table's first version, and how many there are. */
  readonly base: Int32Array;
  readonly size: Int32Array;
  /** `1` or `0` for each version of the table. Undefined: all match, numbered or not. */
  readonly matches: readonly (string | undefined)[];
  /** 1: the statement reads the table by other conditions too. */
  readonly beside: Uint8Array;
  /**
   * The combinations of versions, numbered over all tables, of which the statement must have seen one to evaluate this
   * condition. Undefined: it evaluated the condition.
   */
  readonly when: readonly (RowCombinations | undefined)[];
  /** 1: a key lookup that met a row. */
  readonly met: Uint8Array;
  /** Row, transaction index and write number of each numbered version. Row NONE: it cannot be read. */
  readonly row: Int32Array;
  readonly txn: Int32Array;
  readonly seq: Int32Array;
  readonly evaluated?: EvaluatedEvent;
}

/** Statements that looked for rows without a dependency edge (UnobservedReadEvent), numbered as Predicates are. */
export interface UnobservedReads {
  readonly count: number;
  readonly statement: Int32Array;
  readonly table: readonly string[];
  readonly why: readonly UnobservedName[];
  readonly base: Int32Array;
  readonly size: Int32Array;
  /** `1`, `0` or `?` for each version of the table. Undefined: the statement may have looked for any version. */
  readonly matches: readonly (string | undefined)[];
}

/** Write-list entries: transaction *index* (into Transactions) and write number. */
export interface Entries {
  readonly count: number;
  readonly txn: Int32Array;
  readonly seq: Int32Array;
}

export interface StatementMismatch extends StatusMismatch {
  readonly statement: number;
}

export interface History {
  readonly round: RoundEvent;
  /** True when the round was closed in order: every write that any list can name was sent in it. */
  readonly complete: boolean;
  readonly transactions: Transactions;
  readonly statements: Statements;
  readonly rows: Rows;
  readonly observations: Observations;
  readonly entries: Entries;
  readonly predicates: Predicates;
  readonly unobservedReads: UnobservedReads;
  /** Replies that the protocol's transaction status contradicts, in the order in which they came. */
  readonly statusMismatches: readonly StatementMismatch[];
  /** The initial rows' user columns, where they were recorded. */
  readonly images: readonly ImagesEvent[];
  /** Oddities of the record itself (an unreadable list, a reply without invocation): shown, never silently dropped. */
  readonly notes: readonly Note[];
}
