/**
 * What a run tells while it goes on, an event a line of its progress.ndjson: what was asked, sums of the rounds now and
 * then, each distinct finding when it is first seen, and how it ended. Whoever follows a run reads these.
 */
import type { AnomalyClass } from './anomaly.ts';
import type { Level, MIXED } from './level.ts';
import type { PromiseVerdict } from './promise.ts';

export type ProgressEvent =
  | ProgressBegin
  | { readonly event: 'rounds'; readonly seconds: number; readonly levels: readonly LevelProgress[] }
  | ({ readonly event: 'finding'; readonly seconds: number } & FindingSeen)
  /** What a terminal shows, the most important first. */
  | { readonly event: 'words'; readonly seconds: number; readonly words: readonly string[] }
  | { readonly event: 'note'; readonly seconds: number; readonly note: string }
  /** The reports are written by then. `why`: it could not go on. */
  | { readonly event: 'end'; readonly seconds: number; readonly exit: number; readonly why?: string };

export interface ProgressBegin {
  readonly event: 'begin';
  readonly tool: string;
  /** A run whose process is gone without an `end` was killed. */
  readonly pid: number;
  /** When that process began, as its system says: the number is given again, the two together are not. Absent where nobody says. */
  readonly processStart?: string;
  readonly startedAt: string;
  /** Without credentials. */
  readonly target: string;
  readonly seed: string;
  readonly command: string;
  /** One budget of the two. */
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
  /** Anomalies, each time that they were seen. */
  readonly anomalies: Readonly<Record<PromiseVerdict, number>>;
  /** Pairs of forms that met in a conflict, of those that the workload draws. */
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
  /** The statements that it rests on, as they were written; empty where they are not kept. */
  readonly sql: string;
}
