/** One anomaly that a run found, with what is known of it: its verdict, its statements, its replay. */
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
  /** How many anomalies of the run share its fingerprint. */
  readonly count: number;
  /** Nothing was added to the statements that showed it. */
  readonly uninstrumented?: true;
  /** The transactions of the anomaly and every statement they sent, in order of invocation. */
  readonly transactions: readonly ReportedTxn[];
  readonly statements: readonly ReportedStatement[];
  /** The rows that the anomaly is about, as far as they are known by key and values; absent of files of before 24 November 2026. */
  readonly rows?: readonly ReportedRow[];
  /** Of its DBMS. */
  readonly vendor: Vendor;
  /** The one command that replays it. */
  readonly replay: string;
  /** What a replay without instrumentation showed; absent: none was made, and the report says so. */
  readonly bareReplay?: { readonly tries: number; readonly seen: number };
  /** The cycle's transactions alone, from the rows as they were then, in their observed order: what a replay begins with. */
  readonly observed?: TestCase;
  /** The same with every transaction that overlapped them; absent where there was none. */
  readonly overlapping?: TestCase;
  /** Other schedules of the two that the times allow: in a stress round a statement takes effect between its invocation and its reply. */
  readonly otherOrders?: { readonly observed: readonly (readonly number[])[]; readonly overlapping: readonly (readonly number[])[] };
  /** In a file: these three, packed (src/judge/findings/cases.ts). */
  readonly cases?: string;
  /** Its fingerprint, or that of its reduced case, is in the file of known ones. */
  readonly known?: true;
  /** The raw observations that its anomaly rests on. */
  readonly certificate?: Certificate;
  /** What replaying it showed; absent: it was not replayed, or did not occur again (then the report's notes say so). */
  readonly reproduction?: Reproduction;
}

/** What only the whole record of a finding has: it is what takes the room. */
export type FindingRecord = Pick<
  Finding,
  'statements' | 'rows' | keyof Setup | 'vendor' | 'observed' | 'overlapping' | 'otherOrders' | 'cases' | 'certificate'
>;

/** A finding that is a line of the report: the documents allow it, and another one of its family is kept whole. */
export type ListedFinding = Omit<Finding, keyof FindingRecord | 'bareReplay' | 'reproduction'>;
