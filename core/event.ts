/**
 * What a run records, one event a line of history.ndjson (docs/HISTORY-FORMAT.md). Times are nanoseconds of one
 * monotonic clock, relative to the run's start. An invocation is on disk before its statement is sent.
 */
import type { GapName } from './gap.ts';
import type { Level } from './level.ts';
import type { ObjectContents, ObjectOperation } from './object-operation.ts';
import type { ErrorClass, ErrorScope, InstrumentMode, ReadsTag, StatusMismatch } from './reply.ts';
import type { ReferentialAction } from './schema.ts';

export const HISTORY_FORMAT = 'anomalist-history';
/** What a run writes. */
export const HISTORY_VERSION = 2;
/** What is read: in version 1 every invocation has its whole statement, from 2 on one that repeats is named (statement-names.ts). */
export const HISTORY_VERSIONS = [1, 2] as const;

/** Flat triples: table, row id, write list as the database returned it. */
export type VersionTriples = readonly string[];

/** What the user columns of one row version held, as text, in column order. */
export type Image = readonly (string | null)[];

export interface HeaderEvent {
  readonly e: 'header';
  readonly format: typeof HISTORY_FORMAT;
  readonly version: (typeof HISTORY_VERSIONS)[number];
  readonly tool: string;
  readonly seed: string;
}

/** Opens an independent history: a new schema, transaction ids from 1 again. */
export interface RoundEvent {
  readonly e: 'round';
  readonly round: number;
  readonly seed: string;
  readonly dialect: string;
  readonly server: string;
  readonly level: Level;
  readonly mode: 'stress' | 'schedule';
  readonly instrument: InstrumentMode;
  /** The schema (MySQL's family: database) of its tables; absent: not known. */
  readonly namespace?: string;
  readonly sessions: number;
  readonly endpoints: readonly string[];
  readonly tables: readonly string[];
  /** Places of the primary key among the user columns, by table; absent: not known. */
  readonly keys?: Readonly<Record<string, readonly number[]>>;
  /** Foreign keys: what may remove or change rows without naming them. Absent: not known. */
  readonly references?: readonly Reference[];
  /** Tables whose rows the user's own triggers and functions may make, change or remove (core/effects.ts). Absent: none. */
  readonly followed?: readonly string[];
  /** What is read are objects that were named: there are no conditions, no keys to check and no foreign keys. */
  readonly objects?: true;
  /** A key-value round: its statements say what they do to which object (InvokeEvent.op), and this is what those hold. */
  readonly contents?: ObjectContents;
  /** Settings that the vendor's promise depends on, read back from the server. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** A foreign key by the places of its columns among the user columns of the two tables. */
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
  | 'setting'
  | 'table change'
  | 'commit'
  | 'rollback'
  | 'final';

/** Users' queries, with a lock or without. */
export function isQueryKind(kind: SentKind): boolean {
  return QUERY_KINDS.has(kind);
}

const QUERY_KINDS: ReadonlySet<SentKind> = new Set([
  'select',
  'select for update',
  'select for no key update',
  'select for share',
  'select for key share',
]);

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
  /** As it was sent, but that there every table stands behind the round's namespace. */
  readonly sql: string;
  /** The write's number in its transaction. */
  readonly seq?: number;
  /** Its place in the transaction's plan, from 0. */
  readonly p?: number;
  /** Tables that a write statement writes, with commas between them: a history has them as a list. */
  readonly table?: string;
  readonly reads?: ReadsTag;
  /** Why reads are partial or none. */
  readonly reason?: string;
  /**
   * Tables of which some read takes, or may take, the lock of a FOR UPDATE or FOR SHARE, wherever in the statement or its
   * views that stands. Of a query that locks nothing: empty; absent, as in older files: not known.
   */
  readonly locks?: readonly string[];
  /** Beside `locks`: some read of the statement takes no lock, or takes one on some servers only. */
  readonly nested?: true;
  /** Of a key-value round's statements. */
  readonly op?: ObjectOperation;
  /** Savepoint name of savepoint, rollback to, release. */
  readonly name?: string;
  /** The statement is its own transaction. */
  readonly auto?: true;
  /** Of a transaction's first statement: the level that it runs at, where that is not the round's. */
  readonly level?: Level;
  /** begin only: which endpoint the session is on. */
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
  /** Of an UPDATE, where the server counts them: the rows that did not have their new values already; absent: all. */
  readonly changed?: number;
  /** Versions read, versions written (own entry last), versions removed. */
  readonly r?: VersionTriples;
  readonly w?: VersionTriples;
  readonly d?: VersionTriples;
  /** User columns of the versions in `w`, in the same order, as text. */
  readonly i?: readonly Image[];
  /** The user's own result, every value as the server's text. */
  readonly result?: readonly (readonly (string | null)[])[];
  /** The observations of this statement cannot be trusted to be whole, and why. */
  readonly incomplete?: string;
  /** begin only: the level in force as the server says, its words; and the backend. */
  readonly level?: string;
  readonly backend?: string;
  /** commit only: `rollback` when the server answered COMMIT by rolling back. */
  readonly tag?: 'commit' | 'rollback';
  /** commit only: the server's own transaction id, where it has one. */
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

/** Written once per transaction, when its outcome is known to the runner. A transaction without one is judged by its events. */
export interface EndEvent {
  readonly e: 'end';
  readonly s: number;
  readonly t: number;
  readonly at: number;
  readonly outcome: TxnOutcome;
}

/** The round ended in order (all sessions settled, final read done) or was cut short. */
export interface CloseEvent {
  readonly e: 'close';
  readonly round: number;
  readonly at: number;
  readonly complete: boolean;
  readonly reason?: string;
}

/** The rows of a table before the first transaction: row ids, and the user columns of each. */
export interface ImagesEvent {
  readonly e: 'images';
  readonly table: string;
  readonly rids: readonly string[];
  readonly images: readonly Image[];
}

/** Numbers the row versions of a table whose columns are known, from 0: flat pairs of row id and `<txn>.<seq>`. */
export interface VersionsEvent {
  readonly e: 'versions';
  readonly table: string;
  readonly versions: readonly string[];
}

/** Which versions of a table satisfy the WHERE of a statement that looked at every row of it, as the DBMS itself says. */
export interface PredicateEvent {
  readonly e: 'predicate';
  readonly t: number;
  readonly n: number;
  readonly table: string;
  /** One character for each version that the table's `versions` event numbers: 1 satisfies it, 0 does not. */
  readonly matches?: string;
  /** There is no WHERE: every version satisfies it. */
  readonly all?: true;
  /** The statement reads rows of the table by other conditions too: what it returned need not satisfy this one. */
  readonly beside?: true;
  /** Of a subquery: read for these rows of the query around it, if it saw one of these combinations; else perhaps not at all. */
  readonly when?: Witnesses;
  /**
   * No WHERE but a key that was looked for, in the newest state of the table, and a row was met that holds it: by an upsert that
   * put in nothing, by the check of a foreign key. `?` in `matches`: perhaps.
   */
  readonly met?: true;
}

/** A statement looked for rows of a table in a way of which no dependency is drawn. */
export interface LookEvent {
  readonly e: 'look';
  readonly t: number;
  readonly n: number;
  readonly table: string;
  readonly why: GapName;
  /** Numbers of the table's versions that it was about, and of those that it may have been about, as the table's `versions` event counts them. Absent: any. */
  readonly yes?: readonly number[];
  readonly open?: readonly number[];
}

/** Combinations of row versions, one of each table, as the tables' `versions` events number them: flat tuples. */
export interface Witnesses {
  readonly tables: readonly string[];
  readonly versions: readonly number[];
}

/** How many predicate reads were evaluated, over how many versions, and how many were not, by reason. */
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
  | LookEvent
  | EvaluatedEvent;
