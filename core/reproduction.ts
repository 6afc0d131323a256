/**
 * What became of a finding when it was executed again: the case that shows it, how often it does, the same statements
 * without instrumentation, and the same schedule under other levels and servers. A finding carries one of these once it
 * has been replayed; reports write it out, `replay` reads it back.
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { Certificate } from './certificate.ts';
import type { SentKind } from './event.ts';
import type { Level } from './level.ts';
import type { Judgement } from './promise.ts';
import type { KeptResult, ReportedRow, ReportedStatement, ReportedTxn } from './reported.ts';
import type { Setup } from './setup.ts';
import type { TestCase } from './test-case.ts';
import type { TypeKind } from './value.ts';
import type { Anomaly } from './verdict.ts';

/** k of N. */
export interface Rate {
  readonly tries: number;
  readonly seen: number;
}

/** How much of the round it takes: the cycle's transactions, all that overlapped them, or what reduction left. */
export type CaseScope = 'cycle' | 'overlapping' | 'reduced';

/** `setup`: schema and initial rows with the auxiliary columns. */
export interface Reproduction extends Setup {
  /** The case that shows it, always with a schedule. */
  readonly testCase: TestCase;
  readonly scope: CaseScope;
  /** With instrumentation, in schedule mode, each time on a fresh schema: same class, same promise verdict. */
  readonly rate: Rate;
  /** One such replay: what it showed, its transactions and statements (statement indices are those of this replay). */
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
  /** The raw observations that `anomaly` rests on. */
  readonly certificate?: Certificate;
  readonly transactions: readonly ReportedTxn[];
  readonly statements: readonly ReportedStatement[];
  /** Of this replay, as those of a finding. */
  readonly rows?: readonly ReportedRow[];
  readonly reduction?: ReductionReport;
  readonly plain?: PlainRun;
  /** The same schedule at the other levels, and on other servers where there were some; this one included. */
  readonly controls: readonly Control[];
}

/** What a case is made of, before and after. */
export interface CaseSize {
  readonly sessions: number;
  readonly transactions: number;
  /** BEGIN, COMMIT and ROLLBACK are not counted. */
  readonly statements: number;
  readonly tables: number;
  readonly rows: number;
}

export interface ReductionReport {
  readonly before: CaseSize;
  readonly after: CaseSize;
  readonly executions: number;
  readonly seconds: number;
  /** False: the budget was spent first; `replay --reduce` goes on from here. */
  readonly complete: boolean;
}

/** The place of a value that was read. */
export interface ToldName {
  readonly name: string;
  readonly type: TypeKind;
}

/** One statement of the run without instrumentation. */
export interface PlainStep extends KeptResult {
  /** From 0, and the transaction's id; readers see s1, s2, ... and T1, T2, ... */
  readonly session: number;
  readonly txn: number;
  readonly kind: SentKind;
  readonly sql: string;
  /** As it was written, where it was sent in another way: prepared, for one. */
  readonly own?: string;
  /** Of a statement with values that its transaction has read: what stands around them, and their names. */
  readonly parts?: readonly (string | ToldName)[];
  /** Names for the values of the row that it returned. */
  readonly into?: readonly string[];
  /** Name for the number of rows that it affected. */
  readonly counted?: string;
  readonly autocommit: boolean;
  /** It waited for a lock when it was sent; its reply came while step `repliedAfter` (an index) was the last one sent. */
  readonly blocked: boolean;
  readonly repliedAfter: number | null;
  readonly rows: number | null;
  /** Column names of the result; empty for writes. */
  readonly columns: readonly string[];
  readonly error: string | null;
  /** The server's code of it; absent of files of before 22 November 2026. */
  readonly errorCode?: string;
  /** Not of the finding: a read that was added to make the results show the anomaly. */
  readonly added: boolean;
}

export interface PlainTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** One serial order of the committed transactions, executed on the server, against what was observed. */
export interface SerialOrder {
  /** Transaction ids, first to last. */
  readonly order: readonly number[];
  /** "T1 before T2: T2's SELECT would return (1, 20); observed (1, 10)". */
  readonly sentence: string;
  /** It explains every result: then the results prove nothing. */
  readonly explains: boolean;
}

/** `setup`: schema and initial rows without auxiliary columns. */
export interface PlainRun extends Setup {
  /** In the order they were sent, with what the last run that showed the anomaly (else the last run) returned. */
  readonly steps: readonly PlainStep[];
  /** The tables after it. */
  readonly finalState: readonly PlainTable[];
  readonly rate: Rate;
  /**
   * `results`: no serial order of its transactions gives what was observed, so the results alone prove the anomaly.
   * `auxiliary columns`: some order does; only the row versions show it.
   */
  readonly proof: 'results' | 'auxiliary columns';
  readonly serialOrders: readonly SerialOrder[];
  /** One paragraph for a report. */
  readonly explanation: string;
}

/**
 * `not seen`, `error` and `blocking` say that it did not occur. `not run` and `not judged` leave that open. `lost` and
 * `unusable` are failures: of the server or a session, and of the case itself.
 */
export type ControlCode = 'occurs' | 'error' | 'blocking' | 'not seen' | 'not run' | 'not judged' | 'lost' | 'unusable';

/** How a .spec showed results that no serial order gives. */
export interface SpecEvidence {
  /** The steps in the order in which they were sent. */
  readonly permutation: readonly string[];
  /** A sentence for each serial order: what it answers otherwise. */
  readonly orders: readonly string[];
  /** The class that probes showed; absent: `unnamed` says why none is named. */
  readonly named?: { readonly class: AnomalyClass; readonly shapes: readonly Shape[]; readonly explanation: string };
  readonly unnamed?: string;
}

/** The same schedule elsewhere. */
export interface Control {
  readonly target: string;
  /** As the server names itself. */
  readonly server: string;
  readonly level: Level;
  readonly rate: Rate;
  /** `occurs`, `prevented by error 40001`, `prevented by blocking`, `not seen`, or why nothing can be said. */
  readonly outcome: string;
  /** The same for programs; absent of files of before 22 November 2026. */
  readonly code?: ControlCode;
  /** What the vendor promises there; absent where it was not seen. */
  readonly judgement?: Judgement;
  /** Only a .spec that occurs has it. */
  readonly evidence?: SpecEvidence;
  /** The level and target of the finding itself. */
  readonly own: boolean;
}
