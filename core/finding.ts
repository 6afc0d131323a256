/** One anomaly that a run found, with its verdict, its statements and its replay. */
import type { Certificate } from './certificate.ts';
import type { Level } from './level.ts';
import type { Judgement } from './promise.ts';
import type { ReportedRow, ReportedStatement, ReportedTxn } from './reported.ts';
import type { Reproduction } from './reproduction.ts';
import type { Setup } from './setup.ts';
import type { TestCase } from './test-case.ts';
import type { Vendor } from './vendor.ts';
import type { Anomaly } from './verdict.ts';

export interface Finding extends Setup {
  readonly id: string;
  readonly target: string;
  readonly level: Level;
  readonly round: number;
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
  /** The number of the run's anomalies that share its fingerprint. */
  readonly count: number;
  /** The statements that showed it carried no instrumentation. */
  readonly uninstrumented?: true;
  /** The transactions of the anomaly and every statement they sent, in order of invocation. */
  readonly transactions: readonly ReportedTxn[];
  readonly statements: readonly ReportedStatement[];
  /** The rows of the anomaly, with key and values as far as they are known. Absent in files from before 24 November 2026. */
  readonly rows?: readonly ReportedRow[];
  /** The vendor of its DBMS. */
  readonly vendor: Vendor;
  /** The command that replays it. */
  readonly replay: string;
  /** The result of a replay without instrumentation. Absent: there was none, and the report says so. */
  readonly bareReplay?: { readonly tries: number; readonly seen: number };
  /** The cycle's transactions alone, on the rows of that moment, in their observed order. A replay begins with this case. */
  readonly observed?: TestCase;
  /** The same case with every transaction that overlapped them. Absent if there was none. */
  readonly overlapping?: TestCase;
  /**
   * Other schedules of the two cases that the times allow. In a stress round a statement takes effect between its
   * invocation and its reply.
   */
  readonly otherOrders?: { readonly observed: readonly (readonly number[])[]; readonly overlapping: readonly (readonly number[])[] };
  /** In a file: `observed`, `overlapping` and `otherOrders`, packed (src/judge/findings/cases.ts). */
  readonly cases?: string;
  /** The file of known findings holds its fingerprint, or that of its reduced case. */
  readonly known?: true;
  /** The raw observations behind its anomaly. */
  readonly certificate?: Certificate;
  /** The result of its replay. Absent: it was not replayed, or did not occur again, which the report's notes say. */
  readonly reproduction?: Reproduction;
}

/** The fields that only a finding's full record has, because they take the most space. */
export type FindingRecord = Pick<
  Finding,
  'statements' | 'rows' | keyof Setup | 'vendor' | 'observed' | 'overlapping' | 'otherOrders' | 'cases' | 'certificate'
>;

/** A finding that is one line of the report: the documents allow it, and the report holds another one of its family in full. */
export type ListedFinding = Omit<Finding, keyof FindingRecord | 'bareReplay' | 'reproduction'>;
