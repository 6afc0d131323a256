/** What server and page tell each other: types alone, shared by both. */
import type { Level, PromiseVerdict } from '../../../core/index.ts';

/** Of one level of a run: worst first as a report orders them. */
export type StandingKind = 'bug' | 'inconclusive' | 'undocumented' | 'yours' | 'documented' | 'clean';

/** `running`: its process lives. `lost`: it ended without a report. */
export type RunState = 'running' | 'finished' | 'lost';

export interface LevelLine {
  readonly target: string;
  /** `mixed` too. */
  readonly level: string;
  readonly kind: StandingKind;
  readonly words: string;
  readonly rounds: number;
  readonly transactions: number;
  readonly counts: Readonly<Record<PromiseVerdict, number>>;
}

/** A run in the list. */
export interface RunLine {
  readonly id: string;
  readonly state: RunState;
  /** The worst of its levels; absent: it has no report yet. */
  readonly kind?: StandingKind;
  readonly target: string;
  readonly levels: readonly LevelLine[];
  /** Distinct ones. */
  readonly findings: number;
  /** Pages that it wrote: report.html, explore.html. */
  readonly pages: readonly string[];
}

export interface RunList {
  readonly out: string;
  readonly runs: readonly RunLine[];
}

export type { Level, PromiseVerdict };
