/**
 * All that differs between DBMSs. A dialect is rows of data and a few methods; nothing outside dialects/ asks for its
 * name. Connections are plain driver connections: one per session, never pooled.
 */
import type { Level } from './level.ts';
import type { BreachRow, ChangeRow, ErrorRow, PromiseRow } from './promise.ts';
import type { ClassifiedError, ErrorClass, QueryResult, ResultRow, TransactionStatus } from './reply.ts';
import type { Generated, IndexKind, Schema } from './schema.ts';
import type { SetupStatement } from './setup.ts';
import type { Routine } from './routine.ts';
import type { SchemaText, SqlImporter } from './sql-import.ts';
import type { LockStrength, Statement } from './statement.ts';
import type { Vendor } from './vendor.ts';

export interface DialectLevel {
  readonly level: Level;
  /** The words of BEGIN or SET TRANSACTION. */
  readonly sql: string;
  /** What the server answers when asked for the level in force, in lower case. */
  readonly inForce: string;
  /** The server treats it as this level: a run over all levels leaves it out. */
  readonly aliasOf?: Level;
  /** An endpoint that takes no writes does not offer it: sessions there run at this one. */
  readonly readOnlyAs?: Level;
  /** Servers as they come do not have it: a run over all levels leaves it out. */
  readonly offByDefault?: true;
  /** Beside transactions at other levels; absent: `--level mixed` leaves it out. */
  readonly beside?: BesideOthers;
}

/** What a transaction at a level is held to where others run at other levels at the same time. */
export interface BesideOthers {
  /** The definition that it keeps by itself (MixedLevel), by the name that a record gives it: `own` is answered by these. */
  readonly definition: 'read-committed' | 'snapshot-isolation' | 'serializable';
  /** The vendor's promise is one among transactions of this level: beside others that of this weaker level is left. */
  readonly promise?: Level;
}

/**
 * How a transaction may begin otherwise: it writes nothing; it does not and waits for a snapshot that nothing can make wrong
 * (PostgreSQL); its snapshot is that of BEGIN, not of its first read (MySQL).
 */
export type BeginForm = 'read only' | 'deferrable' | 'consistent snapshot';

/** How a statement may be sent otherwise: by the words PREPARE and EXECUTE, or by the messages of the protocol that prepare and execute. */
export type SendForm = 'prepared by text' | 'prepared by protocol';

/** PREPARE and EXECUTE as texts; names are plain identifiers. */
export interface Preparing {
  /** Gives up all names of the session; absent: what a name stands for may be replaced. */
  readonly clear?: string;
  readonly prepare: (name: string, sql: string) => string;
  readonly execute: (name: string) => string;
  readonly giveUp: (name: string) => string;
}

/**
 * What a planner is told: `index`: to take an index wherever there is one, since a scan of the whole table locks more and hides what an index scan
 * misses; `bitmap`: that by bitmaps alone; `no bitmap`: that by no bitmap.
 */
export type IndexPlan = 'index' | 'bitmap' | 'no bitmap';

export interface Capabilities {
  readonly returning: { readonly insert: boolean; readonly update: boolean; readonly delete: boolean };
  /** What a locking clause may say; each of them takes a lock. */
  readonly lockStrengths: readonly LockStrength[];
  readonly lockWait: readonly ('nowait' | 'skip locked')[];
  /** A failed statement ends the transaction, but ROLLBACK TO an open savepoint brings it back (PostgreSQL). */
  readonly savepointsRecover?: boolean;
  /**
   * A subquery evaluated beside a statement, even in a WITH beside a write, sees the statement's own snapshot, at every
   * level from READ COMMITTED: reads that a result cannot carry may be collected by evaluating them a second time.
   * `queries`: beside plain queries, not beside a write, and not at READ UNCOMMITTED.
   */
  readonly readBeside?: boolean | 'queries';
  /**
   * A session variable can be appended to inside a statement (the IR's `capture`), sent between two statements of ours: one
   * that empties it and one that reads it. None of the two opens a snapshot.
   */
  readonly capture?: Capture;
  /**
   * A subquery is looked at even where what is compared with it is NULL, but for IN and = ANY, which may become a join; elsewhere
   * the answer is known without it.
   */
  readonly readsBehindNull?: true;
  /** REPLACE exists (MySQL, MariaDB, TiDB). */
  readonly replace?: boolean;
  /** A table may be partitioned by range, and an UPDATE moves a row from one partition to another. */
  readonly partitions?: true;
  /** `perhaps`: some servers ask for a right of its own, so it is to be tried. Default: there are none. */
  readonly triggers?: true | 'perhaps';
  /**
   * Triggers and functions of a user's file can be carried over, and what they write gets the entry of the statement that set
   * them off: this one tells the session so, for as long as the transaction is open. It opens no snapshot. Default: files have none.
   */
  readonly announces?: (entry: string) => string;
  /** It goes with a statement that is its own transaction in one message, and the two are one transaction. Default: it goes before it. */
  readonly announcesTogether?: true;
  /** Columns that the server computes; default: none. `virtual, indexed`: an index may be over a virtual one. */
  readonly generated?: readonly (Generated['kind'] | 'virtual, indexed')[];
  /** A foreign key may be checked at COMMIT alone. */
  readonly deferredKeys?: true;
  /** `whole`: with NOT MATCHED BY SOURCE and RETURNING. Default: there is no MERGE. */
  readonly merge?: 'plain' | 'whole';
  /**
   * `of the transaction`: locks under a number that end with it (pg_advisory_xact_lock). `of the session`: locks under a name
   * (GET_LOCK) that outlive it, so that a connection gives them back behind each COMMIT and ROLLBACK. Default: none, or none that is
   * known to wait.
   */
  readonly advisoryLocks?: 'of the transaction' | 'of the session';
  /** OVERLAPS, ranges of two ends that overlap, and exclusion constraints over them. Default: none, or nothing is known of them. */
  readonly ranges?: true;
  /** A WITH may hold writes, and a statement may name what they return. */
  readonly writingWith?: true;
  /** The words behind BEGIN; default: none. */
  readonly begins?: Readonly<Partial<Record<BeginForm, string>>>;
  /** Ways to send a query or a write (Connection.queryProtocol, Dialect.preparing); default: none but text. */
  readonly sends?: readonly SendForm[];
  /** Statements that change a table itself: within transactions, or as transactions of their own that end the one before them. Default: none is planned. */
  readonly tableChanges?: 'within transactions' | 'by themselves';
  /** UNIQUE ... USING HASH makes an index over a hash of the values; absent: the server makes a B-tree of it, or refuses it. */
  readonly hashedUniques?: true;
  /** Indexes beyond B-trees over whole columns of all rows; default: none. */
  readonly indexKinds?: readonly IndexKind[];
  /** A table in FROM may say which index is to be taken, or passed over. */
  readonly indexHints?: true;
  /** What of a generated schema it does not take, or takes and does not do; none is planned for it. */
  readonly unsupported?: readonly Unsupported[];
}

/** At this level two evaluations within one statement may see different rows, so that reads collected beside it need not be its own. */
export function evaluationsDiffer(
  { readBeside }: { readonly readBeside?: Capabilities['readBeside'] | undefined },
  level: Level | undefined,
): boolean {
  return readBeside === 'queries' && level === 'read-uncommitted';
}

/**
 * `set default`: a foreign key's SET DEFAULT is taken for NO ACTION. `cascade from nullable`: ON UPDATE CASCADE is refused
 * where the column that is referred to may be NULL and the one that refers may not. `rollup`: GROUP BY has none. `intersect
 * all`: INTERSECT and EXCEPT keep no duplicates. `update through view`: no view takes writes. `autocommit subquery locks`:
 * the subqueries of a locking SELECT that is a transaction of its own read without a lock at every level, by the manual.
 * `lateral`: no derived table names what stands to its left. `null of days`: IS NULL of a DATE or a timestamp that is NOT NULL is
 * made a comparison with the day 0000-00-00, which is refused where it comes to stand in an arm of a UNION.
 */
export type Unsupported =
  | 'set default'
  | 'cascade from nullable'
  | 'rollup'
  | 'intersect all'
  | 'update through view'
  | 'autocommit subquery locks'
  | 'lateral'
  | 'null of days';

export interface Capture {
  readonly before: string;
  /** Returns one row, whose first column counts: NULL, or JSON arrays with a comma behind each. */
  readonly after: string;
  /** `after` empties the variable too: `before` is needed only where it is not known to be empty. */
  readonly empties?: true;
  /** The assignments of a single-table UPDATE or upsert are made in order: the last one sees the new values of the others. */
  readonly newValues: boolean;
  /** DELETE ... USING has RETURNING where DELETE has it. */
  readonly joinedReturning: boolean;
  /** A subquery of a WHERE that the server turns into a join loses what it captures (MySQL reads the variable once). */
  readonly flattens: boolean;
  /**
   * The server may run a write or a locking read again within itself, on newer rows, and what the first attempt captured stays:
   * of the rows written the last capture counts, but what was read beside them cannot be told (TiDB).
   */
  readonly reattempts?: true;
}

export interface CommitResult {
  /** `rollback`: the server answered COMMIT by rolling back, without an error. */
  readonly tag: 'commit' | 'rollback';
  /** The server's own transaction id, where it assigned one and asking does not. */
  readonly xid?: string;
}

export interface Begun {
  /** The level in force. */
  readonly inForce: string;
  /** In words, what was met instead: the transaction is not in the session that was opened and set. */
  readonly foreign?: string;
}

/** All methods reject with the driver's error; `Dialect.classifyError` reads it. */
export interface Connection {
  /** The server's name for this session (a backend pid, a connection id). */
  readonly backend: string;
  query(sql: string): Promise<QueryResult>;
  /** Several statements one after the other, in one round trip; the first that fails is the last. */
  queryAll?(sql: readonly string[]): Promise<readonly QueryResult[]>;
  /** One statement by the protocol's messages of a prepared one; absent: the server, or its driver, has none that give texts. */
  queryProtocol?(sql: string): Promise<QueryResult>;
  /** Opens a transaction at the level, with these words behind BEGIN (Capabilities.begins), and returns what the server says inside it, to queries that open no snapshot. */
  begin(level: DialectLevel, words?: string): Promise<Begun>;
  /** Opens a transaction at the session's level (ConnectOptions.level) and runs its first statement, in one round trip. */
  beginWith?(sql: string, words?: string): Promise<QueryResult>;
  /** The statements that `begin` sends, for the record: without the question which session it is, as that says nothing of the transaction. */
  beginSql(level: DialectLevel, words?: string): readonly string[];
  commit(): Promise<CommitResult>;
  rollback(): Promise<void>;
  /** By the protocol, as of the last reply; undefined: that did not say. */
  transactionStatus?(): TransactionStatus | undefined;
  /** Closes in order; what was set in the session is taken back first, as a pooler may lend it to somebody else. */
  end(): Promise<void>;
  /** Drops the socket at once. */
  destroy(): void;
}

export interface ConnectOptions {
  /** What unqualified names mean, for SQL that others have written; absent: nothing of the user's. */
  readonly namespace?: string;
  readonly statementTimeoutMs?: number;
  /** The level of statements outside BEGIN: the session's default. */
  readonly level?: DialectLevel;
  /**
   * Resolve deadlocks at once, where the server lets us: the session that closes the circle is then always the victim,
   * and a schedule repeats exactly. Best effort: a user without the right keeps the server's timeout.
   */
  readonly eagerDeadlocks?: boolean;
  /** Reads wait for what was committed on other endpoints before, where a session can be told so. */
  readonly synchronised?: boolean;
}

/** Watches from a control connection which of the sessions wait for a lock. */
export interface BlockedWatcher {
  /** Backends that are waiting now, out of those asked about. */
  blocked(backends: readonly string[]): Promise<ReadonlySet<string>>;
  /** The same with whom each waits for, where the server tells: a schedule then sees a deadlock before it is resolved. */
  waits?(backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Milliseconds until the server can say anything new, for which an answer then waits; absent: it always can. */
  freshIn?(): number;
}

/** What a server's answer to version() says of it, taken apart by the dialect that asked. */
export interface ServerMake {
  /** One line that names the product, which some answers leave out. */
  readonly words: string;
  readonly number: string;
  /** As far as the answer names them. */
  readonly platform?: string;
  readonly packaging?: string;
}

export interface ServerFacts {
  /** As the server names itself, one line. */
  readonly version: string;
  readonly make: ServerMake;
  /** Settings the promise depends on. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** One endpoint of several, as its server says when asked. */
export interface EndpointState {
  /** It takes no writes: a standby, a replica. */
  readonly readOnly: boolean;
  /**
   * How far it has come, in a count that all endpoints of the database share. What was committed on an endpoint that takes
   * writes lies before the position it names then; an endpoint that has come so far shows it.
   */
  readonly position?: bigint;
  /** What its part in an anomaly adds to the settings that the promise depends on. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** How a table is read in ways that must agree: by a scan, and by each of its indexes that can give every row. */
export interface TablePaths {
  readonly table: string;
  /** Of the scan's rows; it may give more behind them. */
  readonly columns: readonly string[];
  readonly scan: string;
  readonly indexes: readonly {
    readonly name: string;
    /** Of the rows that it gives, some of the table's. */
    readonly columns: readonly string[];
    readonly read: string;
  }[];
  /** The server's own look at all of the table's indexes, where one of them cannot be read by itself. */
  readonly check?: TableCheck;
}

export interface TableCheck {
  readonly sql: string;
  /** A line for each thing that the reply says is wrong. */
  readonly damage: (rows: readonly ResultRow[]) => readonly string[];
}

export interface AccessPaths {
  /** Of a session in which the statements go the ways that they say. */
  readonly settings: readonly string[];
  /** Of the namespace's tables, by the server's own catalogue. */
  readonly of: (connection: Connection, namespace: string) => Promise<readonly TablePaths[]>;
}

/** What is needed of a DBMS where programs change tables themselves. */
export interface TableChanges {
  /** What its documents allow beside such a statement. */
  readonly rows: readonly ChangeRow[];
  /** Drops these tables of the namespace as far as they are there, whichever refers to which; several statements perhaps. */
  readonly drop: (tables: readonly string[], namespace: string) => string;
  /** Every column of every row, whatever the columns are. */
  readonly readWhole: (table: string, namespace: string) => string;
  /** This watcher sees who waits for a table's definition or a lock of a session, whom Dialect.watchWaits may leave out. Default: Dialect.watchBlocked. */
  readonly watch?: (connection: Connection) => BlockedWatcher;
}

export interface Dialect {
  readonly name: string;
  readonly title: string;
  /** URL schemes it answers to, without the colon. */
  readonly schemes: readonly string[];
  /** Of the newest release that is known. */
  readonly capabilities: Capabilities;
  /** Those of a server, where releases differ; absent: they do not. */
  readonly capabilitiesOf?: (make: ServerMake) => Capabilities;
  readonly levels: readonly DialectLevel[];
  readonly promises: readonly PromiseRow[];
  readonly breaches: readonly BreachRow[];
  /** Absent: no document was found that allows any. */
  readonly allowedErrors?: readonly ErrorRow[];
  readonly vendor: Vendor;
  /** True once the whole database suite has run on a live server. */
  readonly ranLive: boolean;
  /** With a namespace every table and view is named in it: what is sent. Without one the text is for people. */
  print(statement: Statement, namespace?: string): string;
  /** Statements that create the namespace, mark it as ours, and make and fill the schema's tables in it, each table named with it. */
  createNamespace(namespace: string, schema: Schema): readonly string[];
  /** The same for people, as a script that enters the namespace and names tables alone from there on; each statement says what it makes. */
  namespaceScript(namespace: string, schema: Schema): readonly SetupStatement[];
  /** From this statement on the session means the namespace by unqualified names: for SQL that others have written. */
  enterNamespace(namespace: string): string;
  /** Drops the namespace if it carries our mark; refuses (UsageError) what the tool did not create. */
  dropNamespace(connection: Connection, namespace: string): Promise<void>;
  /** Throws UsageError when the namespace exists already. */
  assertFree(connection: Connection, namespace: string): Promise<void>;
  connect(url: string, options: ConnectOptions): Promise<Connection>;
  /**
   * Throws UsageError where our connections are not each a session of the server to the end, as behind a pooler that lends
   * one for a transaction or a statement. Sets nothing and writes nothing.
   */
  expectOwnSessions(url: string): Promise<void>;
  facts(connection: Connection): Promise<ServerFacts>;
  watchBlocked(connection: Connection): BlockedWatcher;
  /** The same for who asks after every step; absent: watchBlocked is quick enough. */
  watchWaits?(connection: Connection): BlockedWatcher;
  /** The statement that lets a user ask what both of these ask; absent: everybody may. */
  readonly waitsGrant?: string;
  /** Settings of a session by which the planner takes an index wherever there is one, and what takes all of them back; absent: there are none. */
  readonly indexPlans?: { readonly on: Readonly<Partial<Record<IndexPlan, readonly string[]>>>; readonly off: readonly string[] };
  readonly accessPaths?: AccessPaths;
  /** Present where Capabilities.tableChanges is. */
  readonly tableChanges?: TableChanges;
  /** What stops the triggers of a user's file, and what lets them run again, while rows are put in place; present where Capabilities.announces is. */
  withoutTriggers?(routines: readonly Routine[], namespace: string): { readonly off: readonly string[]; readonly on: readonly string[] };
  /** Of a deadlock the session that closes the circle is ended, whoever began first and whatever each has done (ConnectOptions.eagerDeadlocks). */
  readonly closerIsVictim?: true;
  /** Where an error within a transaction leaves the session, by its class; absent: in one way or another. */
  readonly afterErrors?: Readonly<Partial<Record<ErrorClass, TransactionStatus>>>;
  /** Absent where nothing can be told of several endpoints: then each takes writes, and none is known to have caught up. */
  endpoint?(connection: Connection): Promise<EndpointState>;
  /** Absent: it has no PREPARE. */
  readonly preparing?: Preparing;
  /** Reads users' SQL with the DBMS's own grammar; absent where nothing can. The parser is loaded on first use. `able`: what the server's release can do. */
  importer?(able?: Capabilities): Promise<SqlImporter>;
  /** A user's schema from the catalogs alone, nothing being written; absent where nobody has tried. Default: that which bare names mean, or the database of the URL. */
  readonly schemaText?: (connection: Connection, schema: string | undefined, url: string) => Promise<SchemaText>;
  classifyError(error: unknown): ClassifiedError;
  /** The URL without its password, for messages and records. */
  redact(url: string): string;
}
