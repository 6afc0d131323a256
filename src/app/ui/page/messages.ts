/** Defines the messages between server and page. It has only types, which both share. */
import type { Level, PromiseVerdict } from '../../../../core/level/index.ts';
import type { Finding, LevelProgress } from '../../../../core/verdict/index.ts';

/** Gives the result of one level, or the worst result of a whole run. */
export type StandingKind = 'bug' | 'inconclusive' | 'undocumented' | 'known' | 'yours' | 'documented' | 'clean';

/** `running` means that the run's process exists. `lost` means that the process is gone and there is no report. */
export type RunState = 'running' | 'finished' | 'lost';

export interface LevelLine {
  readonly target: string;
  /** The level may also be `mixed`. */
  readonly level: string;
  readonly kind: StandingKind;
  readonly words: string;
  readonly progress: Omit<LevelProgress, 'level'>;
}

export interface RunLine {
  readonly id: string;
  readonly state: RunState;
  /** Gives the worst result of the levels. It is absent if the run has no report. */
  readonly kind?: StandingKind;
  /** Names the target without credentials. */
  readonly target: string;
  readonly levels: readonly string[];
  readonly transactions: number;
  /** Counts the distinct findings of each verdict. */
  readonly findings: Readonly<Record<PromiseVerdict, number>>;
  /** True if the run goes on and the page can stop it. */
  readonly startedHere?: true;
  /** Says why there is no report, or why the run ended early. */
  readonly why?: string;
}

/** Describes the last run that was started from the page. */
export interface Started {
  readonly state: 'starting' | 'running' | 'stopping' | 'ended';
  readonly target: string;
  /** Names the run's folder as soon as it exists. */
  readonly id?: string;
  readonly exit?: number;
  /** Holds the last words of the run's stderr if the run made no folder. */
  readonly said?: string;
}

export interface Overview {
  readonly out: string;
  readonly runs: readonly RunLine[];
  readonly started?: Started;
}

export interface TargetChoice {
  /** Requests name the target by this. */
  readonly name: string;
  readonly levels: readonly Level[];
  /** True if the command line named the target by URL. `name` is then the URL without credentials. */
  readonly byUrl: boolean;
}

export interface Choices {
  /** The first target is the default. */
  readonly targets: readonly TargetChoice[];
  readonly workloads: readonly { readonly name: string; readonly title: string }[];
}

export interface StartRequest {
  readonly target: string;
  /** An empty list means all levels. */
  readonly levels: readonly string[];
  readonly workload: string;
  /** A duration such as `60s` is expected. */
  readonly duration: string;
  /** A duration such as `60s` is expected. Nothing is explored if it is absent. */
  readonly explore?: string;
}

export interface FindingLine {
  readonly n: number;
  /** True if the finding has a file of its own. */
  readonly whole: boolean;
  readonly count: number;
  readonly tables: readonly string[];
  readonly transactions: readonly string[];
  readonly explanation: string;
  /** Holds the statements of the anomaly or of the reduced case. It is empty if they are not kept. */
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

/** Describes a run that has its report. */
export interface RunDetails {
  readonly id: string;
  readonly kind: StandingKind;
  readonly command: string;
  readonly levels: readonly LevelLine[];
  readonly families: readonly FamilyLines[];
  readonly notes: readonly string[];
  /** Names the pages that the run wrote, such as report.html and explore.html. */
  readonly pages: readonly string[];
}

export interface FindingDetails {
  readonly n: number;
  readonly name: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly target: string;
  /** It is absent if the report has only a line for the finding. The next three fields are then all that is known. */
  readonly whole?: Finding;
  readonly explanation: string;
  readonly edges: readonly { readonly from: number; readonly to: number; readonly rel: string; readonly explanation: string }[];
  readonly command: string;
  /** True if the finding has a case that can be replayed. */
  readonly replays: boolean;
  /** If this finding cannot be replayed, it numbers one of the same family that can. */
  readonly instead?: number;
}

export interface ReplayRequest {
  readonly target: string;
  /** 0 means that the finding is replayed but not reduced. */
  readonly reduceSeconds: number;
}

export interface ReplayState {
  readonly id: number;
  readonly run: string;
  readonly n: number;
  readonly target: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** Says what the replay does now. */
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
  /** Holds the finding with the replayed case. It is absent if the finding did not occur again. */
  readonly finding?: Finding;
}
