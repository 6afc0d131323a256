/**
 * A probed case: every statement together with how its result names the row versions it read or wrote.
 */
import type { BeginForm } from './dialect.ts';
import type { Level } from './level.ts';
import type { InstrumentMode, ReadsTag, ResultRow } from './reply.ts';
import type { Schema } from './schema.ts';
import type { StatementLocks } from './statement-locks.ts';
import type { Select, Statement } from './statement.ts';
import type { TestCase } from './test-case.ts';

/** Where the observed versions stand in a result row. */
export type ProbeLayout =
  /**
   * The last column, `iso_reads`, is a JSON array of table, rid, list triples, nested at will; null rids are skipped. A
   * nested array that begins with '' holds the user columns of the version before it, as text. A value that begins with
   * false is a row of ours: what was read beside the statement (ReadBeside), for a write read, not written.
   */
  | { readonly kind: 'json' }
  /** The paper's form: pairs of plain columns at these positions, each pair of one table. */
  | { readonly kind: 'columns'; readonly pairs: readonly { readonly table: string; readonly rid: number; readonly list: number }[] }
  | { readonly kind: 'none' };

/**
 * What the named versions are: read ones, versions just written (own entry last), or the versions that a delete removed;
 * `change`: of those that the statement wrote and removed each is what its list says, since only what was written has its entry last.
 */
export type ObservationRole = 'read' | 'write' | 'delete' | 'change';

/**
 * What a statement appends to the session's variable (Capabilities.capture): JSON arrays. One that begins with false is
 * what was read beside the rows written; any other is a row as it was before the statement replaced or removed it: table,
 * row id, list and perhaps an array that begins with '' and holds the user columns of the version that was made. One that
 * begins with true begins with the row id of a proposed row that was not inserted, since it met that row.
 */
export interface CapturedRows {
  /** The statement's entry, to be put behind the captured lists of the rows that it changed; absent for a DELETE. */
  readonly entry?: string;
  /** The statement's own rows come as captures; otherwise its result names them and only reads are captured. */
  readonly own: boolean;
  /** Nothing in the statement captures, so the variable need not be emptied and read: its rows are known without. */
  readonly silent?: true;
  /** What was read beside the rows written is captured but proves nothing (Capture.reattempts). */
  readonly auxiliaryReads?: false;
  /** Rows that an INSERT makes. */
  readonly inserted?: {
    readonly table: string;
    /** Row ids without their number. */
    readonly prefix: string;
    /** Rows proposed by VALUES; absent: as many as a query gave. */
    readonly rows?: number;
    readonly conflict?: 'nothing' | 'update' | 'replace';
    /** The user columns of each row proposed, as the statement itself states them. */
    readonly images?: readonly ResultRow[];
  };
}

export interface Probe {
  readonly layout: ProbeLayout;
  readonly role: ObservationRole;
  /** The statement's own entry; present exactly in the role `change`. */
  readonly entry?: string;
  readonly reads: ReadsTag;
  /** Why reads are not exact; present exactly then. */
  readonly reason?: string;
  /** The statement captures rows. */
  readonly captured?: CapturedRows;
  /** Columns of the result that belong to the user's statement; those behind them are ours and are cut off. */
  readonly userColumns: number;
}

export interface ProbedStatement {
  /** The statement as planned: what a replay without instrumentation sends. */
  readonly original: Statement;
  readonly statement: Statement;
  readonly probe: Probe;
  /** Tables that triggers of those that it says it writes write too, whichever rows of them. */
  readonly alsoWrites?: readonly string[];
  /** The entry that is told to the session before it (Capabilities.announces): what it sets off may write. */
  readonly announced?: string;
  /** The write's number within its transaction, from 1; absent for reads and savepoints. */
  readonly seq?: number;
  /** What its locking clauses reach; absent: it has none. */
  readonly locks?: StatementLocks;
  /** paper mode: the SELECT ... FOR UPDATE sent before a DELETE; its rows count as deleted if their number agrees. */
  readonly before?: { readonly statement: Select; readonly probe: Probe };
}

export interface ProbedTxn {
  readonly id: number;
  readonly statements: readonly ProbedStatement[];
  readonly end: 'commit' | 'rollback';
  readonly autocommit: boolean;
  /** As in TxnPlan, all of them. */
  readonly begin?: BeginForm;
  readonly level?: Level;
  readonly retryOf?: number;
}

export interface ProbedCase {
  readonly testCase: TestCase;
  readonly mode: InstrumentMode;
  /** The level that it is planned for; absent: every one at which evaluations do not differ (dialect.ts). */
  readonly level?: Level;
  /** Writes return the user columns of the versions they make. */
  readonly images?: boolean;
  /** The case's schema with the auxiliary columns and their initial values (none in mode `none`). */
  readonly schema: Schema;
  readonly sessions: readonly { readonly transactions: readonly ProbedTxn[] }[];
}
