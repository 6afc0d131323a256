/**
 * A finding is an anomaly of a run's history, or something that a small program showed in one order of its steps. Each has a
 * fingerprint, the vendor's verdict and a replay. Reports, merges and replays take both.
 */
import type { Certificate } from './certificate.ts';
import type { ServerMake, Setup, Vendor } from '../dialect/index.ts';
import type { ExploreFamily } from './explored.ts';
import type { Level, Judgement, PromiseSource, PromiseVerdict } from '../level/index.ts';
import type { ReportedRow, ReportedStatement, ReportedTxn } from './reported.ts';
import type { Control, Reproduction } from './reproduction.ts';
import type { TestCase } from '../program/index.ts';
import type { Anomaly } from './verdict.ts';

export type Finding = AnomalyFinding | ProgramFinding;

/**
 * `outcome difference`: no serial order gives the outcome; `broken invariant`: and the rows that are left break an invariant
 * which every serial order keeps; `single-run violation`: the run contradicts itself, whatever its order; `hidden anomaly`: a
 * serial order gives the outcome, and the row versions that probes saw have none.
 */
export type ProgramFindingKind = 'outcome difference' | 'broken invariant' | 'single-run violation' | 'hidden anomaly';

/** The verdict, and the document that decided. */
export interface FindingJudgement {
  readonly verdict: PromiseVerdict;
  readonly row?: FindingRow;
}

export interface FindingRow extends PromiseSource {
  readonly verdict: PromiseVerdict;
  readonly says: string;
}

/** The server as it was asked, and the level in force as it named it inside the transactions. */
export interface FoundOn {
  readonly version: string;
  readonly make?: ServerMake;
  readonly configuration: Readonly<Record<string, string>>;
  readonly inForce?: string;
}

/** A family of programs of an exploration, as a finding. */
export interface ProgramFinding {
  readonly kind: ProgramFindingKind;
  readonly id: string;
  readonly target: string;
  readonly level: Level;
  /** Depends on no seed, no value and no example. */
  readonly fingerprint: string;
  readonly judgement: FindingJudgement;
  /** Programs that show it. */
  readonly count: number;
  /** The vendor of its DBMS. Absent: an older tool wrote the exploration, and it has no files. */
  readonly vendor?: Vendor;
  readonly server: FoundOn;
  /** The one command that replays it. */
  readonly replay: string;
  /** The `--known` file has it, or it is a case of the corpus. */
  readonly known?: true;
  readonly family: ExploreFamily;
  /** The same order of steps at other levels and on other servers, once it was replayed. */
  readonly controls?: readonly Control[];
}

/** An anomaly of a run's history, with what is known of it: its verdict, its statements, its replay. */
export interface AnomalyFinding extends Setup {
  readonly kind: 'anomaly';
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
  AnomalyFinding,
  'statements' | 'rows' | keyof Setup | 'vendor' | 'observed' | 'overlapping' | 'otherOrders' | 'cases' | 'certificate'
>;

/** A finding that is a line of the report: the documents allow it, and another one of its family is kept whole. */
export type ListedFinding = Omit<AnomalyFinding, keyof FindingRecord | 'kind' | 'bareReplay' | 'reproduction'>;

/** Records of an older tool, which knew no other findings, name no kind. */
export function isAnomaly(finding: Finding): finding is AnomalyFinding {
  return !('family' in finding);
}
