/**
 * The events of a run, one a line of history.ndjson (docs/HISTORY-FORMAT.md). Times are nanoseconds of one monotonic
 * clock since the run's start. An invocation is on disk before its statement is sent.
 */
import type { UnobservedName } from './unobserved.ts';
import type { Level } from './level.ts';
import type { ObjectContents, ObjectOperation } from './object-operation.ts';
import type { ErrorClass, ErrorScope, InstrumentMode, ReadsTag, StatusMismatch } from './reply.ts';
import type { ReferentialAction } from './schema.ts';

export const HISTORY_FORMAT = 'anomalist-history';
/** The version that a run writes. */
export const HISTORY_VERSION = 2;
/**
 * The versions that can be read. In version 1 every invocation has its whole statement. From 2 on a repeated statement
 * is named (statement-names.ts).
 */
export const HISTORY_VERSIONS = [1, 2] as const;

/** Flat triples of table, row id, and write list as the database returned it. */
export type VersionTriples = readonly string[];

/** The user columns of one row version, as text, in column order. */
export type Image = readonly (string | null)[];

export interface HeaderEvent {
  readonly e: 'header';
  readonly format: typeof HISTORY_FORMAT;
  readonly version: (typeof HISTORY_VERSIONS)[number];
  readonly tool: string;
  readonly seed: string;
}

/** Opens an independent history: a new schema, with transaction ids from 1 again. */
export interface RoundEvent {
  readonly e: 'round';
  readonly round: number;
  readonly seed: string;
  readonly dialect: string;
  readonly server: string;
  readonly level: Level;
  readonly mode: 'stress' | 'schedule';
  readonly instrument: InstrumentMode;
  /** The schema of the round's tables (in MySQL's family the database). Absent: not known. */
  readonly namespace?: string;
  readonly sessions: number;
  readonly endpoints: readonly string[];
  readonly tables: readonly string[];
  /** The positions of the primary key among the user columns, by table. Absent: not known. */
  readonly keys?: Readonly<Record<string, readonly number[]>>;
  /** Foreign keys, whose actions may remove or change rows that no statement names. Absent: not known. */
  readonly references?: readonly Reference[];
  /** Tables whose rows the user's own triggers and functions may insert, change or remove (core/effects.ts). Absent: none. */
  readonly followed?: readonly string[];
  /** Reads name their objects. There are no conditions, no key checks and no foreign keys. */
  readonly objects?: true;
  /**
   * A key-value round: each statement says what it does to which object (InvokeEvent.op), and this says what the
   * objects hold.
   */
  readonly contents?: ObjectContents;
  /** Settings that the vendor's promise depends on, as read back from the server. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** A foreign key, with its columns as positions among the user columns of the two tables. */
export interface Reference {
  readonly table: string;
  readonly columns: readonly number[];
  readonly parent: string;
  readonly references: readonly number[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
}

/**
 * Kinds of statements as sent; `probe` is the paper mode's SELECT ... FOR UPDATE, `final` the closing read-back. Programs of an
 * exploration alone have `setting`, of a session, and `table change`.
 */
export type SentKind =
  | 'begin'
  | 'select'
  | 'select for update'
  | 'select for no key update'
  | 'select for share'
  | 'select for key share'
  | 'insert'
  | 'update'
  | 'delete'
  | 'merge'
  | 'with'
  | 'probe'
  | 'savepoint'
  | 'rollback to'
  | 'release'
  | 'advisory lock'
  | 'lock table'
  | 'setting'
  | 'table change'
  | 'commit'
  | 'rollback'
  | 'final';

export interface InvokeEvent {
  readonly e: 'invoke';
  /** Session. */
  readonly s: number;
  /** Transaction id. */
  readonly t: number;
  /** Number of the statement within its transaction as sent, from 0. */
  readonly n: number;
  readonly k: SentKind;
  readonly at: number;
  /** The statement's text, without the namespace that stood before every table when it was sent. */
  readonly sql: string;
  /** The write's number in its transaction. */
  readonly seq?: number;
  /** The statement's position in the transaction's plan, from 0. */
  readonly p?: number;
  /** The tables that a write statement writes, separated by commas. History has them as a list. */
  readonly table?: string;
  readonly reads?: ReadsTag;
  /** Why reads are partial or none. */
  readonly reason?: string;
  /**
   * Tables that some read of the statement or its views locks, or may lock, FOR UPDATE or FOR SHARE. Empty: the query
   * locks nothing. Absent, as in older files: not known.
   */
  readonly locks?: readonly string[];
  /** Beside `locks`: some read of the statement takes no lock, or takes one on some servers only. */
  readonly nested?: true;
  /** In a key-value round: the statement's operation and its object. */
  readonly op?: ObjectOperation;
  /** The savepoint's name, for savepoint, rollback to and release. */
  readonly name?: string;
  /** The statement is its own transaction. */
  readonly auto?: true;
  /** The transaction's level if it is not the round's. Only its first statement has it. */
  readonly level?: Level;
  /** For begin only: the session's endpoint. */
  readonly endpoint?: number;
}

export interface OkEvent {
  readonly e: 'ok';
  readonly s: number;
  readonly t: number;
  readonly n: number;
  readonly at: number;
  /** Rows returned or affected. */
  readonly rows?: number;
  /**
   * The rows that an UPDATE changed, without those that held the new values already. Absent: all, or the server does
   * not count them.
   */
  readonly changed?: number;
  /** Versions read, versions written (each with the statement's own entry last) and versions removed. */
  readonly r?: VersionTriples;
  readonly w?: VersionTriples;
  readonly d?: VersionTriples;
  /** User columns of the versions in `w`, in the same order, as text. */
  readonly i?: readonly Image[];
  /** The user's own result, every value as the server's text. */
  readonly result?: readonly (readonly (string | null)[])[];
  /** Why some observations of this statement may be missing. */
  readonly incomplete?: string;
  /** For begin only: the level in force in the server's words, and the backend. */
  readonly level?: string;
  readonly backend?: string;
  /** For commit only: `rollback` if the server answered COMMIT by rolling back. */
  readonly tag?: 'commit' | 'rollback';
  /** For commit only: the server's own transaction id, if it has one. */
  readonly xid?: string;
  /** The session waited for a lock before this reply (schedule mode). */
  readonly blocked?: true;
  /** The protocol's transaction status contradicts the reply. */
  readonly status?: StatusMismatch;
}

export interface FailEvent {
  readonly e: 'fail';
  readonly s: number;
  readonly t: number;
  readonly n: number;
  readonly at: number;
  readonly code: string;
  readonly class: ErrorClass;
  readonly scope: ErrorScope;
  readonly message: string;
  readonly blocked?: true;
  readonly status?: StatusMismatch;
}

export type TxnOutcome = 'committed' | 'aborted' | 'unknown';

/** Written once for each transaction, when the runner knows its outcome. Without this event the replies decide. */
export interface EndEvent {
  readonly e: 'end';
  readonly s: number;
  readonly t: number;
  readonly at: number;
  readonly outcome: TxnOutcome;
}

/** The round ended in order (all sessions finished, final read done), or it was cut short. */
export interface CloseEvent {
  readonly e: 'close';
  readonly round: number;
  readonly at: number;
  readonly complete: boolean;
  readonly reason?: string;
}

/** The rows of a table before the first transaction: their row ids and user columns. */
export interface ImagesEvent {
  readonly e: 'images';
  readonly table: string;
  readonly rids: readonly string[];
  readonly images: readonly Image[];
}

/** Numbers the row versions of a table whose columns are known, from 0, as flat pairs of row id and `<txn>.<seq>`. */
export interface VersionsEvent {
  readonly e: 'versions';
  readonly table: string;
  readonly versions: readonly string[];
}

/**
 * A predicate read as the DBMS evaluated it: the versions of a table that satisfy the WHERE of a statement that
 * examined every row.
 */
export interface PredicateEvent {
  readonly e: 'predicate';
  readonly t: number;
  readonly n: number;
  readonly table: string;
  /** One character for each version that the table's `versions` event numbers: 1 satisfies the WHERE, 0 does not. */
  readonly matches?: string;
  /** The statement has no WHERE: every version satisfies it. */
  readonly all?: true;
  /** The statement reads the table by other conditions too, so its result need not satisfy this one. */
  readonly beside?: true;
  /**
   * For a subquery: the server certainly evaluated it if the outer query saw one of these combinations of versions.
   * Otherwise it may not have.
   */
  readonly when?: RowCombinations;
  /**
   * Not a WHERE but a key lookup in the newest state of the table, which met a row. An upsert that inserted nothing
   * makes it, or a foreign key's check. `?` in `matches`: perhaps.
   */
  readonly met?: true;
}

/** A statement looked for rows of a table in a way that adds no dependency edge. */
export interface UnobservedReadEvent {
  readonly e: 'look';
  readonly t: number;
  readonly n: number;
  readonly table: string;
  readonly why: UnobservedName;
  /**
   * Numbers, in the table's `versions` event, of the versions that it looked for, and of those that it may have looked
   * for. Absent: any.
   */
  readonly yes?: readonly number[];
  readonly open?: readonly number[];
}

/** Combinations of row versions, one of each table, by their numbers in the tables' `versions` events, as flat tuples. */
export interface RowCombinations {
  readonly tables: readonly string[];
  readonly versions: readonly number[];
}

/** How many predicate reads were evaluated over how many versions, and how many were skipped, by reason. */
export interface EvaluatedEvent {
  readonly e: 'evaluated';
  readonly predicates: number;
  readonly versions: number;
  readonly skipped: Readonly<Record<string, number>>;
}

export type HistoryEvent =
  | HeaderEvent
  | RoundEvent
  | InvokeEvent
  | OkEvent
  | FailEvent
  | EndEvent
  | CloseEvent
  | ImagesEvent
  | VersionsEvent
  | PredicateEvent
  | UnobservedReadEvent
  | EvaluatedEvent;
