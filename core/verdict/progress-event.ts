/**
 * The events of a run, one a line of its progress.ndjson, for programs that follow it. They tell the request, sums of
 * the rounds, each distinct finding at its first occurrence, and the end.
 */
import type { AnomalyClass, Level, MIXED, PromiseVerdict } from '../level/index.ts';

export type ProgressEvent =
  | ProgressBegin
  | { readonly event: 'rounds'; readonly seconds: number; readonly levels: readonly LevelProgress[] }
  | ({ readonly event: 'finding'; readonly seconds: number } & FindingSeen)
  /** The lines that a terminal shows, the most important first. */
  | { readonly event: 'words'; readonly seconds: number; readonly words: readonly string[] }
  | { readonly event: 'note'; readonly seconds: number; readonly note: string }
  /** The reports are written by then. `why`: the reason if the run could not continue. */
  | { readonly event: 'end'; readonly seconds: number; readonly exit: number; readonly why?: string };

export interface ProgressBegin {
  readonly event: 'begin';
  readonly tool: string;
  /** A run was killed if its process is gone and it has no `end`. */
  readonly pid: number;
  /**
   * When that process began, as its system says. The system may reuse a pid, but not the two together. Absent: the
   * system does not say.
   */
  readonly processStart?: string;
  readonly startedAt: string;
  /** The target's URL without credentials. */
  readonly target: string;
  readonly seed: string;
  readonly command: string;
  /** The budget: a duration or a number of cases. */
  readonly durationMs?: number;
  readonly cases?: number;
  readonly exploreMs?: number;
}

export interface LevelProgress {
  readonly level: Level | typeof MIXED;
  readonly rounds: number;
  readonly transactions: number;
  readonly committed: number;
  readonly statements: number;
  /** The number of anomalies, counting every occurrence. */
  readonly anomalies: Readonly<Record<PromiseVerdict, number>>;
  /** Pairs of forms that met in a conflict, and the number of pairs that the workload draws. */
  readonly pairs?: { readonly met: number; readonly of: number };
}

export interface FindingSeen {
  readonly id: string;
  readonly verdict: PromiseVerdict;
  readonly level: Level;
  readonly round: number;
  readonly name: string;
  readonly class: AnomalyClass;
  readonly explanation: string;
  /** The statements of the finding, as they were written. Empty if they are not kept. */
  readonly sql: string;
}

/** The sums of a line of progress, as data. */
export type ProgressCounts =
  /** Small programs ran in so many orders, and so many of these showed a difference. */
  | { readonly kind: 'programs'; readonly level: Level; readonly programs: number; readonly orders: number; readonly differences: number }
  /** Families of differences are run again in fresh fixtures. */
  | { readonly kind: 'pairs'; readonly level: Level; readonly pairs: number; readonly of: number }
  | { readonly kind: 'confirming'; readonly level: Level; readonly done: number; readonly of: number }
  /** A finding is made smaller. */
  | { readonly kind: 'reducing'; readonly level: Level; readonly pass: string; readonly executions: number }
  | { readonly kind: 'replaying'; readonly level: Level };
