/** What server and page tell each other: types alone, shared by both. */
import type { Finding, Level, LevelProgress, PromiseVerdict } from '../../../../core/index.ts';

/** Of one level of a run, or of all of it: the worst. */
export type StandingKind = 'bug' | 'inconclusive' | 'undocumented' | 'known' | 'yours' | 'documented' | 'clean';

/** `running`: its process lives. `lost`: that is gone, and there is no report. */
export type RunState = 'running' | 'finished' | 'lost';

export interface LevelLine {
  readonly target: string;
  /** `mixed` too. */
  readonly level: string;
  readonly kind: StandingKind;
  readonly words: string;
  readonly progress: Omit<LevelProgress, 'level'>;
}

/** A run in the list. */
export interface RunLine {
  readonly id: string;
  readonly state: RunState;
  /** The worst of its levels; absent: it has no report. */
  readonly kind?: StandingKind;
  /** Without credentials. */
  readonly target: string;
  readonly levels: readonly string[];
  readonly transactions: number;
  /** Distinct ones, by verdict. */
  readonly findings: Readonly<Record<PromiseVerdict, number>>;
  /** It goes on, and can be stopped here. */
  readonly startedHere?: true;
  /** Why there is no report, or why the run ended early. */
  readonly why?: string;
}

/** The run that was started from the page: the last one. */
export interface Started {
  readonly state: 'starting' | 'running' | 'stopping' | 'ended';
  readonly target: string;
  /** Its folder, as soon as it has one. */
  readonly id?: string;
  readonly exit?: number;
  /** What it said last, where it came to no folder. */
  readonly said?: string;
}

export interface Overview {
  readonly out: string;
  readonly runs: readonly RunLine[];
  readonly started?: Started;
}

export interface TargetChoice {
  /** What a request names it by. */
  readonly name: string;
  readonly levels: readonly Level[];
  /** Of the command line: without credentials. */
  readonly byUrl: boolean;
}

export interface Choices {
  /** The first is the one to begin with. */
  readonly targets: readonly TargetChoice[];
  readonly workloads: readonly { readonly name: string; readonly title: string }[];
}

export interface StartRequest {
  readonly target: string;
  /** Empty: all. */
  readonly levels: readonly string[];
  readonly workload: string;
  /** `60s`. */
  readonly duration: string;
  /** Absent: none is explored. */
  readonly explore?: string;
}

export interface FindingLine {
  readonly n: number;
  /** A file of its own has it whole. */
  readonly whole: boolean;
  readonly count: number;
  readonly tables: readonly string[];
  readonly transactions: readonly string[];
  readonly explanation: string;
  /** The statements that it rests on, or of the reduced case; empty where they are not kept. */
  readonly sql: string;
}

export interface FamilyLines {
  readonly target: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly name: string;
  readonly edges: string;
  readonly anomalies: number;
  readonly findings: readonly FindingLine[];
}

/** A run that has its report. */
export interface RunDetails {
  readonly id: string;
  readonly kind: StandingKind;
  readonly command: string;
  readonly levels: readonly LevelLine[];
  readonly families: readonly FamilyLines[];
  readonly notes: readonly string[];
  /** Pages that it wrote: report.html, explore.html. */
  readonly pages: readonly string[];
}

export interface FindingDetails {
  readonly n: number;
  readonly name: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly target: string;
  /** Absent of one that is a line of its report: then the next three are all that is known. */
  readonly whole?: Finding;
  readonly explanation: string;
  readonly edges: readonly { readonly from: number; readonly to: number; readonly rel: string; readonly explanation: string }[];
  readonly command: string;
  /** There is a case that can be replayed. */
  readonly replays: boolean;
  /** Of its family one that can, where it cannot. */
  readonly instead?: number;
}

export interface ReplayRequest {
  readonly target: string;
  /** 0: it is only replayed. */
  readonly reduceSeconds: number;
}

export interface ReplayState {
  readonly id: number;
  readonly run: string;
  readonly n: number;
  readonly target: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** What it is at. */
  readonly words: string;
  readonly seconds: number;
  readonly result?: ReplayResult;
}

export interface ReplayResult {
  readonly tries: number;
  readonly seen: number;
  readonly verdict: PromiseVerdict;
  readonly reduced?: {
    readonly before: { readonly transactions: number; readonly statements: number };
    readonly after: { readonly transactions: number; readonly statements: number };
    readonly executions: number;
    readonly complete: boolean;
  };
  /** The finding with the case as it was replayed. Absent: it did not occur again. */
  readonly finding?: Finding;
}
