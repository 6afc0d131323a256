/**
 * Everything that differs between DBMSs. A dialect consists of rows of data and a few methods, and nothing outside
 * dialects/ compares its name. Connections are plain driver connections: one for each session, never pooled.
 */
import type { Level, SingleRunViolationRow, ChangeRow, ErrorRow, PromiseRow } from '../level/index.ts';
import type { NotedLock, NotedReads } from './footprint.ts';
import type { ClassifiedError, ErrorClass, QueryResult, ResultRow, TransactionStatus } from './reply.ts';
import type { Generated, IndexKind, Schema, Routine, LockStrength, Statement, Table } from '../sql/index.ts';
import type { SetupStatement } from './setup.ts';
import type { SchemaText, SqlImporter } from './sql-import.ts';
import type { Vendor } from './vendor.ts';

export interface DialectLevel {
  readonly level: Level;
  /** The level's name in BEGIN or SET TRANSACTION. */
  readonly sql: string;
  /** The server's answer when asked for the level in force, in lower case. */
  readonly inForce: string;
  /** The server treats it as this level, so a run over all levels leaves it out. */
  readonly aliasOf?: Level;
  /** A read-only endpoint does not offer the level. Sessions there run at this one. */
  readonly readOnlyAs?: Level;
  /** A server with its default settings does not offer the level, so a run over all levels leaves it out. */
  readonly offByDefault?: true;
  /** The promise beside transactions at other levels. Absent: `--level mixed` leaves the level out. */
  readonly beside?: BesideOthers;
}

/** The definition and the promise of a level while other transactions run at other levels. */
export interface BesideOthers {
  /**
   * The definition (MixedLevel) that the level keeps by itself, under the name that a record gives it. `own` is checked
   * against these.
   */
  readonly definition: 'read-committed' | 'snapshot-isolation' | 'serializable';
  /**
   * The vendor's promise needs every other transaction to run at this level too. Beside others, only the promise of
   * this weaker level holds.
   */
  readonly promise?: Level;
}

/**
 * Other begin modes a transaction. `read only`: it writes nothing. `deferrable`: a read-only transaction waits for a
 * snapshot that cannot be part of an anomaly (PostgreSQL). `consistent snapshot`: it takes its snapshot at BEGIN, not
 * at its first read (MySQL).
 */
export type BeginMode = 'read only' | 'deferrable' | 'consistent snapshot';

/**
 * Other protocols a statement: the SQL statements PREPARE and EXECUTE, or the protocol's messages that prepare and
 * execute.
 */
export type Protocol = 'prepared by text' | 'prepared by protocol';

/** The SQL text of PREPARE, EXECUTE and DEALLOCATE. Names are plain identifiers. */
export interface Preparing {
  /** Deallocates all names of the session. Absent: PREPARE may replace the statement of a name. */
  readonly clear?: string;
  readonly prepare: (name: string, sql: string) => string;
  readonly execute: (name: string) => string;
  readonly giveUp: (name: string) => string;
}

/**
 * A setting of the planner. `index`: use an index wherever there is one, because a sequential scan locks more rows and
 * hides defects of index scans. `bitmap`: use bitmap index scans only. `no bitmap`: use no bitmap index scan.
 */
export type IndexPlan = 'index' | 'bitmap' | 'no bitmap';

export interface Capabilities {
  readonly returning: { readonly insert: boolean; readonly update: boolean; readonly delete: boolean };
  /** The strengths that a locking clause may name. Each of them takes a lock. */
  readonly lockStrengths: readonly LockStrength[];
  readonly lockWait: readonly ('nowait' | 'skip locked')[];
  /** A failed statement ends the transaction, but ROLLBACK TO an open savepoint brings it back (PostgreSQL). */
  readonly savepointsRecover?: boolean;
  /**
   * A subquery evaluated beside a statement, even in a WITH beside a write, sees the statement's own snapshot. This
   * holds at every level from READ COMMITTED. A second evaluation may therefore collect the reads that the result does
   * not show. `queries`: this holds for plain queries, not for writes, and not at READ UNCOMMITTED.
   */
  readonly readBeside?: boolean | 'queries';
  /**
   * Expressions inside a statement can append to a session variable (the IR's `capture`). One statement before it
   * empties the variable and one behind it reads the variable. Neither opens a snapshot.
   */
  readonly capture?: Capture;
  /**
   * The server evaluates a subquery even if the operand beside it is NULL. IN and = ANY are exceptions, as they may
   * become a join. Absent: the server knows the answer without evaluating the subquery.
   */
  readonly readsBehindNull?: true;
  /** REPLACE exists (MySQL, MariaDB, TiDB). */
  readonly replace?: boolean;
  /** A table may be partitioned by range, and an UPDATE may move a row from one partition to another. */
  readonly partitions?: true;
  /** `perhaps`: some servers require an extra privilege, so a run has to try. Default: no triggers. */
  readonly triggers?: true | 'perhaps';
  /**
   * The statement that tells the session which entry the writes of triggers and functions get. This makes a user's
   * triggers and functions usable. The setting lasts until the transaction ends, and the statement opens no snapshot.
   * Default: files have neither.
   */
  readonly announces?: (entry: string) => string;
  /**
   * The announcement and a statement that commits by itself can share one message and are then one transaction.
   * Default: the announcement is sent first.
   */
  readonly announcesTogether?: true;
  /** Kinds of generated columns. Default: none. `virtual, indexed`: an index may contain a virtual one. */
  readonly generated?: readonly (Generated['kind'] | 'virtual, indexed')[];
  /** A foreign key may be deferred to COMMIT. */
  readonly deferredKeys?: true;
  /** A foreign key's columns may be without an index. Absent: the server makes one. */
  readonly unindexedForeignKeys?: true;
  /** The columns of a foreign key may be of other types than those that they refer to (integer and bigint). */
  readonly mixedForeignKeys?: true;
  /** `whole`: MERGE has NOT MATCHED BY SOURCE and RETURNING. Default: there is no MERGE. */
  readonly merge?: 'plain' | 'whole';
  /**
   * `of the transaction`: locks under a number that end with the transaction (pg_advisory_xact_lock). `of the session`:
   * locks under a name (GET_LOCK) that outlive the transaction, so a connection releases them after each COMMIT and
   * ROLLBACK. Default: none, or none that is known to wait.
   */
  readonly advisoryLocks?: 'of the transaction' | 'of the session';
  /** LOCK TABLE with PostgreSQL's modes, until the transaction ends. Default: none. */
  readonly tableLocks?: true;
  /** OVERLAPS, range types with two ends, and exclusion constraints over them. Default: none, or not known. */
  readonly ranges?: true;
  /** UPDATE and DELETE of one table may have ORDER BY and LIMIT. */
  readonly limitedWrites?: true;
  /** The column ctid holds the physical address of a row, and a scan may begin at one. */
  readonly rowAddresses?: true;
  /** A WITH may hold writes, and the statement may use the rows that they return. */
  readonly writingWith?: true;
  /** The words after BEGIN. Default: none. */
  readonly begins?: Readonly<Partial<Record<BeginMode, string>>>;
  /** Protocols a query or a write (Connection.queryProtocol, Dialect.preparing). Default: text only. */
  readonly sends?: readonly Protocol[];
  /**
   * How statements that change a table commit: within transactions, or as transactions of their own that first commit
   * the open one. Default: no such statement is planned.
   */
  readonly tableChanges?: 'within transactions' | 'by themselves';
  /** UNIQUE ... USING HASH makes an index over a hash of the values. Absent: the server makes a B-tree of it, or refuses it. */
  readonly hashedUniques?: true;
  /** Kinds of indexes beyond B-trees over whole columns of all rows. Default: none. */
  readonly indexKinds?: readonly IndexKind[];
  /** An index hint in FROM may say which index to use, or to ignore. */
  readonly indexHints?: true;
  /** Parts of a generated schema that the DBMS refuses, or accepts without effect. The generator plans none of them. */
  readonly unsupported?: readonly Unsupported[];
}

/**
 * Whether two evaluations within one statement may see different rows at this level. If so, reads collected beside a
 * statement need not be its own.
 */
export function evaluationsDiffer(
  { readBeside }: { readonly readBeside?: Capabilities['readBeside'] | undefined },
  level: Level | undefined,
): boolean {
  return readBeside === 'queries' && level === 'read-uncommitted';
}

/**
 * Parts of a generated schema or statement that a DBMS lacks.
 * - `set default`: the DBMS treats a foreign key's SET DEFAULT as NO ACTION.
 * - `cascade from nullable`: it refuses ON UPDATE CASCADE from a column that may be NULL to one that may not.
 * - `rollup`: GROUP BY has none.
 * - `intersect all`: INTERSECT and EXCEPT keep no duplicates.
 * - `update through view`: no view accepts writes.
 * - `autocommit subquery locks`: by the manual, subqueries of an autocommit locking SELECT read without a lock at every level.
 * - `lateral`: no derived table refers to FROM items on its left.
 * - `null of days`: the server turns IS NULL of a NOT NULL DATE or timestamp into a comparison with 0000-00-00. An arm of a UNION
 *   refuses that value.
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
  /** Returns one row. Its first column is NULL, or JSON arrays with a comma after each. */
  readonly after: string;
  /** `after` empties the variable too. `before` is needed only if the variable may hold something. */
  readonly empties?: true;
  /** A single-table UPDATE or upsert makes its assignments in order: the last one sees the new values of the others. */
  readonly newValues: boolean;
  /** DELETE ... USING has RETURNING where DELETE has it. */
  readonly joinedReturning: boolean;
  /** If the server turns a subquery of a WHERE into a join, its captures are lost (MySQL reads the variable once). */
  readonly flattens: boolean;
  /**
   * The server may run a write or a locking read again within itself, on newer rows, and keeps the captures of the
   * first attempt. For written rows the last capture counts. Reads captured beside them prove nothing (TiDB).
   */
  readonly reattempts?: true;
}

export interface CommitResult {
  /** `rollback`: the server answered COMMIT by rolling back, without an error. */
  readonly tag: 'commit' | 'rollback';
  /** The server's own transaction id, if it assigned one and reading it does not assign one. */
  readonly xid?: string;
}

export interface Begun {
  /** The level in force. */
  readonly inForce: string;
  /** One sentence, if another session answered: the transaction is not in the session that we opened and configured. */
  readonly foreign?: string;
}

/** All methods reject with the driver's error. `Dialect.classifyError` reads it. */
export interface Connection {
  /** The server's name for this session (a backend pid, a connection id). If it has none, a number that the dialect gives. */
  readonly backend: string;
  query(sql: string): Promise<QueryResult>;
  /** Sends several statements in one round trip. The server runs them in order and stops at the first failure. */
  queryAll?(sql: readonly string[]): Promise<readonly QueryResult[]>;
  /**
   * Sends one statement by the protocol's messages for prepared statements. Absent: the server or its driver has no
   * such message that returns text.
   */
  queryProtocol?(sql: string): Promise<QueryResult>;
  /**
   * Opens a transaction at the level, with these words after BEGIN (Capabilities.begins). Returns the server's answers
   * inside it, to queries that open no snapshot.
   */
  begin(level: DialectLevel, words?: string): Promise<Begun>;
  /** Opens a transaction at the session's level (ConnectOptions.level) and runs its first statement in the same round trip. */
  beginWith?(sql: string, words?: string): Promise<QueryResult>;
  /**
   * The statements that `begin` sends, for the record. The query for the session's id is left out, as it says nothing
   * of the transaction.
   */
  beginSql(level: DialectLevel, words?: string): readonly string[];
  commit(): Promise<CommitResult>;
  rollback(): Promise<void>;
  /** The transaction status that the protocol reported with the last reply. Undefined: that reply reported none. */
  transactionStatus?(): TransactionStatus | undefined;
  /** Closes in order. First it resets the session's settings, as a pooler may lend the session to somebody else. */
  end(): Promise<void>;
  /** Ends the session at once, without a last exchange. */
  destroy(): void;
}

export interface ConnectOptions {
  /** The namespace of unqualified names, for SQL that others have written. Absent: no namespace of the user's. */
  readonly namespace?: string;
  readonly statementTimeoutMs?: number;
  /** The level of statements outside BEGIN: the session's default. */
  readonly level?: DialectLevel;
  /**
   * Detects deadlocks at once, if the server allows that. The session that closes the cycle is then always the victim,
   * and a schedule repeats exactly. A user without the privilege keeps the server's timeout.
   */
  readonly eagerDeadlocks?: boolean;
  /** Reads wait for earlier commits on other endpoints, if the server has such a setting. */
  readonly synchronised?: boolean;
}

/**
 * Watches from a control connection which sessions wait for a lock. If a DBMS refuses a statement instead of letting it
 * wait, no session is ever blocked.
 */
export interface BlockedWatcher {
  /** Returns the backends, among those asked about, that are waiting now. */
  blocked(backends: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Returns for each waiting backend whom it waits for. A schedule then sees a deadlock before the server resolves it.
   * Absent: the server does not tell.
   */
  waits?(backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Milliseconds until the server can give a new answer. `blocked` waits that long. Absent: every answer is new. */
  freshIn?(): number;
}

/** The parts of a server's answer to version(), as its dialect parses them. */
export interface ServerMake {
  /** One line that names the product, which some answers leave out. */
  readonly words: string;
  readonly number: string;
  /** The platform, if the answer names one. */
  readonly platform?: string;
  readonly packaging?: string;
}

export interface ServerFacts {
  /** The server's name for itself, on one line. */
  readonly version: string;
  readonly make: ServerMake;
  /** The settings that the vendor's promise depends on. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** The state of one endpoint, as its server reports it. */
export interface EndpointState {
  /** The endpoint accepts no writes: it is a standby or a replica. */
  readonly readOnly: boolean;
  /**
   * The endpoint's position in a log that all endpoints of the database share. A commit on a writable endpoint lies
   * before the position that it reports afterwards. An endpoint that has reached the position shows the commit.
   */
  readonly position?: bigint;
  /** Settings for the vendor's promise that apply if this endpoint takes part in an anomaly. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** The ways to read a table that must agree: a sequential scan, and each index that can return every row. */
export interface TablePaths {
  readonly table: string;
  /** The scan's first columns. The scan may return more behind them. */
  readonly columns: readonly string[];
  readonly scan: string;
  readonly indexes: readonly {
    readonly name: string;
    /** The columns that the index returns, a subset of the table's. */
    readonly columns: readonly string[];
    readonly read: string;
  }[];
  /** The server's own check of all indexes of the table, if some index cannot be read by itself. */
  readonly check?: TableCheck;
}

export interface TableCheck {
  readonly sql: string;
  /** Returns one line for each error that the reply reports. */
  readonly corruption: (rows: readonly ResultRow[]) => readonly string[];
}

export interface AccessPaths {
  /** Settings of the session that make the planner use the path that each statement is meant for. */
  readonly settings: readonly string[];
  /** Lists the access paths of the namespace's tables from the server's catalogue. */
  readonly of: (connection: Connection, namespace: string) => Promise<readonly TablePaths[]>;
}

/** How a server shows what it notes down of a transaction. */
export interface Footprints {
  /** The levels that work by locks or by tracked reads. */
  readonly levels: Readonly<Partial<Record<Level, NotedReads>>>;
  /**
   * Makes the server show its locks. Returns the reason if it does not, and what to do. `own`: the server was started by
   * the tool, so that its settings may be changed.
   */
  readonly unavailable: (connection: Connection, own: boolean) => Promise<string | undefined>;
  /**
   * Reads from another connection the locks that the session holds. Intention locks on tables are left out, as they
   * conflict with no access to a row. `locked`: tables whose rows the session may have locked. PostgreSQL has no list of
   * row locks, so each of these tables is asked for rows that another session could not lock.
   */
  readonly held: (
    connection: Connection,
    backend: string,
    where: { readonly namespace: string; readonly locked: readonly Pick<Table, 'name'>[] },
  ) => Promise<readonly NotedLock[]>;
}

/** Parts of a dialect for programs that change tables (DDL). */
export interface TableChanges {
  /** The anomalies that the vendor's documents allow beside such a statement. */
  readonly rows: readonly ChangeRow[];
  /** Drops those of the tables that exist, whatever foreign keys link them. The text may hold several statements. */
  readonly drop: (tables: readonly string[], namespace: string) => string;
  /** A query that returns every column of every row, whatever the columns are. */
  readonly readWhole: (table: string, namespace: string) => string;
  /**
   * A watcher that also reports waits for a table's definition and for session locks. Dialect.watchWaits may miss
   * these. Default: Dialect.watchBlocked.
   */
  readonly watch?: (connection: Connection) => BlockedWatcher;
}

/** A database of its own for SQL that others have written, on a server that was started for it. */
export interface OwnDatabase {
  readonly create: (name: string) => string;
  readonly drop: (name: string) => string;
  /** The same server's URL with this database. */
  readonly url: (url: string, name: string) => string;
}

export interface Dialect {
  readonly name: string;
  readonly title: string;
  /** The URL schemes of the DBMS, without the colon. */
  readonly schemes: readonly string[];
  /** The capabilities of the newest release that is known. */
  readonly capabilities: Capabilities;
  /** The capabilities of one server, if releases differ. Absent: they do not. */
  readonly capabilitiesOf?: (make: ServerMake) => Capabilities;
  readonly levels: readonly DialectLevel[];
  readonly promises: readonly PromiseRow[];
  readonly singleRunViolations: readonly SingleRunViolationRow[];
  /** Absent: no document that we found allows any. */
  readonly allowedErrors?: readonly ErrorRow[];
  readonly vendor: Vendor;
  /** True once the whole database suite has run on a live server. */
  readonly ranLive: boolean;
  /**
   * Prints a statement. With a namespace the text names every table and view in it, ready to send. Without one the text
   * is for people.
   */
  print(statement: Statement, namespace?: string): string;
  /**
   * Returns statements that create the namespace, mark it as ours, and create and fill the schema's tables in it. Each
   * table is named with its namespace.
   */
  createNamespace(namespace: string, schema: Schema): readonly string[];
  /**
   * Returns the same for people: a script that enters the namespace and then names tables alone. Each statement says
   * what it creates.
   */
  namespaceScript(namespace: string, schema: Schema): readonly SetupStatement[];
  /**
   * Returns the statement that makes the namespace the session's default for unqualified names, for SQL that others
   * have written.
   */
  enterNamespace(namespace: string): string;
  /** Drops the namespace if it carries our mark. Throws UsageError if the tool did not create it. */
  dropNamespace(connection: Connection, namespace: string): Promise<void>;
  /** Throws UsageError if the namespace exists already. */
  assertFree(connection: Connection, namespace: string): Promise<void>;
  connect(url: string, options: ConnectOptions): Promise<Connection>;
  /**
   * Throws UsageError unless each of our connections keeps one session of the server until it ends. A pooler may lend a
   * session for one transaction or statement only. Sets nothing and writes nothing.
   */
  expectOwnSessions(url: string): Promise<void>;
  facts(connection: Connection): Promise<ServerFacts>;
  /**
   * A query that returns the level of the transaction in which it is sent, or of an autocommit statement, as
   * DialectLevel.inForce has it. Absent: the server tells only the session's default.
   */
  readonly levelInForce?: string;
  /** Absent: a namespace is a database already. */
  readonly ownDatabase?: OwnDatabase;
  watchBlocked(connection: Connection): BlockedWatcher;
  /** A quicker watcher for callers that ask after every step. Absent: watchBlocked is quick enough. */
  watchWaits?(connection: Connection): BlockedWatcher;
  /** The GRANT that lets a user run the queries of both watchers. Absent: every user may. */
  readonly waitsGrant?: string;
  /**
   * Settings of a session that make the planner use an index wherever there is one, and the statements that reset them.
   * Absent: there are none.
   */
  readonly indexPlans?: { readonly on: Readonly<Partial<Record<IndexPlan, readonly string[]>>>; readonly off: readonly string[] };
  readonly accessPaths?: AccessPaths;
  /** Absent: the server does not show what a transaction noted down, or we do not know how to read it. */
  readonly footprints?: Footprints;
  /** Present if and only if Capabilities.tableChanges is. */
  readonly tableChanges?: TableChanges;
  /**
   * Statements that disable the triggers of a user's file while rows are set, and that enable them again. Present if
   * and only if Capabilities.announces is.
   */
  readonly withoutTriggers?: (
    routines: readonly Routine[],
    namespace: string,
  ) => { readonly off: readonly string[]; readonly on: readonly string[] };
  /**
   * The victim of a deadlock is the session that closes the cycle, whatever its age and its work
   * (ConnectOptions.eagerDeadlocks).
   */
  readonly closerIsVictim?: true;
  /** The transaction status behind an error within a transaction, by error class. Absent: it varies. */
  readonly afterErrors?: Readonly<Partial<Record<ErrorClass, TransactionStatus>>>;
  /**
   * Absent: the server reports nothing of its endpoints. Then every endpoint counts as writable, and none is known to
   * have caught up.
   */
  endpoint?(connection: Connection): Promise<EndpointState>;
  /** Absent: the DBMS has no PREPARE. */
  readonly preparing?: Preparing;
  /**
   * Reads users' SQL with the DBMS's own grammar. Absent: there is no parser. The parser is loaded on first use.
   * `able`: the capabilities of the server's release.
   */
  importer?(able?: Capabilities): Promise<SqlImporter>;
  /**
   * Reads a user's schema from the catalogs and writes nothing. `schema` defaults to the one that bare names mean, or
   * to the database of the URL. Absent: not implemented.
   */
  readonly schemaText?: (connection: Connection, schema: string | undefined, url: string) => Promise<SchemaText>;
  classifyError(error: unknown): ClassifiedError;
  /** Returns the URL without its password, for messages and records. */
  redact(url: string): string;
}
