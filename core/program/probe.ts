/** A probed case: every statement, together with how its result names the row versions that it read or wrote. */
import type { Level } from '../level/index.ts';
import type { InstrumentMode, ReadsTag, ResultRow } from '../dialect/index.ts';
import type { Schema, StatementLocks, Select, Statement } from '../sql/index.ts';
import type { TestCase, TxnPlan } from './test-case.ts';

/** Where a result row holds the observed versions. */
export type ProbeLayout =
  /**
   * The last column, `iso_reads`, is a JSON array of table, rid, list triples, with arrays nested freely. Null rids are
   * skipped. A nested array that begins with '' holds the user columns of the version before it, as text. A value that
   * begins with false is an extra row: the versions read beside the statement (ReadBeside), which a write read and did
   * not write.
   */
  | { readonly kind: 'json' }
  /** The paper's form: pairs of plain columns at these positions, each pair for one table. */
  | { readonly kind: 'columns'; readonly pairs: readonly { readonly table: string; readonly rid: number; readonly list: number }[] }
  | { readonly kind: 'none' };

/**
 * The statement's effect on the named versions. `read`: it read them. `write`: it wrote them, and each has its own
 * entry last. `delete`: it removed them. `change`: it wrote those with its own entry last and removed the others.
 */
export type ObservationRole = 'read' | 'write' | 'delete' | 'change';

/**
 * The rows that a statement appends to the session's variable (Capabilities.capture), as JSON arrays. An array that begins with
 * false holds versions read beside the rows written. An array that begins with true begins with the row id of a
 * proposed row. That row met the row that follows and was not inserted. Any other array is a row before the statement
 * replaced or removed it: table, row id and list. An array that begins with '' may follow, with the user columns of the
 * new version.
 */
export interface CapturedRows {
  /** The statement's entry, which goes after the captured lists of the rows that it changed. Absent for a DELETE. */
  readonly entry?: string;
  /** The statement's own rows are captured. False: its result names them, and only reads are captured. */
  readonly own: boolean;
  /** Nothing in the statement captures. Its rows are known without the variable, which need not be emptied and read. */
  readonly silent?: true;
  /** The reads captured beside the rows written prove nothing (Capture.reattempts). */
  readonly auxiliaryReads?: false;
  /** The rows that an INSERT makes. */
  readonly inserted?: {
    readonly table: string;
    /** Row ids without their number. */
    readonly prefix: string;
    /** The number of rows proposed by VALUES. Absent: as many as the query returned. */
    readonly rows?: number;
    readonly conflict?: 'nothing' | 'update' | 'replace';
    /** The user columns of each proposed row, as the statement spells them. */
    readonly images?: readonly ResultRow[];
  };
}

export interface Probe {
  readonly layout: ProbeLayout;
  readonly role: ObservationRole;
  /** The statement's own entry. Present exactly in the role `change`. */
  readonly entry?: string;
  readonly reads: ReadsTag;
  /** Why reads are not exact. Present exactly if they are not. */
  readonly reason?: string;
  /** The rows that the statement captures. */
  readonly captured?: CapturedRows;
  /** The number of result columns of the user's statement. Columns behind them are ours and are cut off. */
  readonly userColumns: number;
}

export interface ProbedStatement {
  /** The statement as planned, which a replay without instrumentation sends. */
  readonly original: Statement;
  readonly statement: Statement;
  readonly probe: Probe;
  /** Tables that triggers write, in any of their rows, when the statement writes its own tables. */
  readonly alsoWrites?: readonly string[];
  /**
   * The entry that is announced to the session before the statement (Capabilities.announces). Triggers and functions
   * may write it.
   */
  readonly announced?: string;
  /** The write's number within its transaction, from 1. Absent for reads and savepoints. */
  readonly seq?: number;
  /** The tables that its locking clauses reach. Absent: it has no such clause. */
  readonly locks?: StatementLocks;
  /** In paper mode: the SELECT ... FOR UPDATE sent before a DELETE. Its rows count as deleted if their number agrees. */
  readonly before?: { readonly statement: Select; readonly probe: Probe };
}

/** A planned transaction with its statements probed. */
export interface ProbedTxn extends Omit<TxnPlan, 'name' | 'statements'> {
  readonly statements: readonly ProbedStatement[];
}

export interface ProbedCase {
  readonly testCase: TestCase;
  readonly mode: InstrumentMode;
  /** The level of the plan. Absent: any level at which evaluations do not differ (dialect.ts). */
  readonly level?: Level;
  /** Writes return the user columns of the versions they make. */
  readonly images?: boolean;
  /** The case's schema with the auxiliary columns and their initial values (none in mode `none`). */
  readonly schema: Schema;
  readonly sessions: readonly { readonly transactions: readonly ProbedTxn[] }[];
}
