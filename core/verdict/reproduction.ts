/**
 * The result of executing a finding again: the case that shows it and how often it does. It also holds the same
 * statements without instrumentation, and the same schedule under other levels and servers. A finding has one after its
 * replay. Reports write it, and `replay` reads it back.
 */
import type { AnomalyClass, Shape, Level, Judgement } from '../level/index.ts';
import type { Certificate } from './certificate.ts';
import type { NotCompared } from './not-compared.ts';
import type { SentKind } from '../history/index.ts';
import type { KeptResult, ReportedRow, ReportedStatement, ReportedTxn } from './reported.ts';
import type { Setup } from '../dialect/index.ts';
import type { TestCase } from '../program/index.ts';
import type { TypeKind } from '../sql/index.ts';
import type { Anomaly } from './verdict.ts';

/** `seen` of `tries` executions showed it. */
export interface Rate {
  readonly tries: number;
  readonly seen: number;
}

/** The transactions of the case: the cycle's, all that overlapped them, or those that reduction left. */
export type CaseScope = 'cycle' | 'overlapping' | 'reduced';

/** `setup`: the schema and initial rows, with the auxiliary columns. */
export interface Reproduction extends Setup {
  /** The case that shows it. It always has a schedule. */
  readonly testCase: TestCase;
  readonly scope: CaseScope;
  /**
   * The rate with instrumentation, in schedule mode, each time on a fresh schema. A try counts if it shows the same
   * class and promise verdict.
   */
  readonly rate: Rate;
  /** One such replay: its anomaly, transactions and statements. Statement indices are those of this replay. */
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
  /** The raw observations behind `anomaly`. */
  readonly certificate?: Certificate;
  readonly transactions: readonly ReportedTxn[];
  readonly statements: readonly ReportedStatement[];
  /** The rows of this replay, as in a finding. */
  readonly rows?: readonly ReportedRow[];
  readonly reduction?: ReductionReport;
  readonly plain?: PlainRun;
  /** The same schedule at every level, and on other servers if there were some. The finding's own level is included. */
  readonly controls: readonly Control[];
}

/** The size of a case, before and after reduction. */
export interface CaseSize {
  readonly sessions: number;
  readonly transactions: number;
  /** Statements without BEGIN, COMMIT and ROLLBACK. */
  readonly statements: number;
  readonly tables: number;
  readonly rows: number;
}

export interface ReductionReport {
  readonly before: CaseSize;
  readonly after: CaseSize;
  readonly executions: number;
  readonly seconds: number;
  /** False: the budget ended first. `replay --reduce` continues from here. */
  readonly complete: boolean;
}

/** A name that stands for a bound value. */
export interface BoundName {
  readonly name: string;
  readonly type: TypeKind;
}

/** One statement of the run without instrumentation. */
export interface PlainStep extends KeptResult {
  /** The session from 0, and the transaction's id. Reports print s1, s2, ... and T1, T2, ... */
  readonly session: number;
  readonly txn: number;
  readonly kind: SentKind;
  readonly sql: string;
  /** The statement as written, if it was sent differently, for example prepared. */
  readonly own?: string;
  /** The text around values that its transaction has read, and their names. */
  readonly parts?: readonly (string | BoundName)[];
  /** The names for the values of the row that it returned. */
  readonly into?: readonly string[];
  /** The name for the number of rows that it affected. */
  readonly counted?: string;
  readonly autocommit: boolean;
  /** The statement waited for a lock. Its reply came while step `repliedAfter` (an index) was the last one sent. */
  readonly blocked: boolean;
  readonly repliedAfter: number | null;
  readonly rows: number | null;
  /** The column names of the result. Empty for writes. */
  readonly columns: readonly string[];
  readonly error: string | null;
  /** The server's error code. Absent in files from before 22 November 2026. */
  readonly errorCode?: string;
  /** The tool added this read, which makes the results show the anomaly. The finding does not contain it. */
  readonly added: boolean;
}

export interface PlainTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** One serial order of the committed transactions, executed on the server and compared with the observed results. */
export interface SerialOrder {
  /** Transaction ids, first to last. */
  readonly order: readonly number[];
  /** "T1 before T2: T2's SELECT would return (1, 20); observed (1, 10)". */
  readonly sentence: string;
  /** The order explains every result, so the results prove nothing. */
  readonly explains: boolean;
}

/** `setup`: the schema and initial rows, without auxiliary columns. */
export interface PlainRun extends Setup {
  /** The steps in the order of sending, with the replies of the last run that showed the anomaly, or else of the last run. */
  readonly steps: readonly PlainStep[];
  /** The tables after the run. */
  readonly finalState: readonly PlainTable[];
  readonly rate: Rate;
  /**
   * `results`: no serial order of the transactions gives the observed results, so the results alone prove the anomaly.
   * `auxiliary columns`: some order gives them, and only the row versions show the anomaly.
   */
  readonly proof: 'results' | 'auxiliary columns';
  readonly serialOrders: readonly SerialOrder[];
  /** Why `serialOrders` is empty. Absent: the results were compared with them, or the file is from before 28 November 2026. */
  readonly notCompared?: NotCompared;
  /** One paragraph for a report. */
  readonly explanation: string;
}

/**
 * `not seen`, `error` and `blocking`: the anomaly did not occur. `not run` and `not judged`: unknown. `lost`: the
 * server or a session failed. `unusable`: the case itself failed.
 */
export type ControlCode = 'occurs' | 'error' | 'blocking' | 'not seen' | 'not run' | 'not judged' | 'lost' | 'unusable';

/** How a .spec showed results that no serial order gives. */
export interface SpecEvidence {
  /** The steps in the order of sending. */
  readonly permutation: readonly string[];
  /** One sentence for each serial order, which says which of its results differ. */
  readonly orders: readonly string[];
  /** The class that probes showed. Absent: `unnamed` says why there is none. */
  readonly named?: { readonly class: AnomalyClass; readonly shapes: readonly Shape[]; readonly explanation: string };
  readonly unnamed?: string;
}

/** The same schedule at another level or on another server. */
export interface Control {
  readonly target: string;
  /** The server's name for itself. */
  readonly server: string;
  readonly level: Level;
  readonly rate: Rate;
  /** `occurs`, `prevented by error 40001`, `prevented by blocking`, `not seen`, or why the answer is unknown. */
  readonly outcome: string;
  /** The outcome for programs. Absent in files from before 22 November 2026. */
  readonly code?: ControlCode;
  /** The vendor's promise there. Absent: the anomaly was not seen. */
  readonly judgement?: Judgement;
  /** Present only for a .spec that occurs. */
  readonly evidence?: SpecEvidence;
  /** Whether this is the level and target of the finding itself. */
  readonly own: boolean;
}
