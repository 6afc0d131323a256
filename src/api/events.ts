/** What every function of the library takes and tells while it works. */
import type { FindingSeen, Level, LevelProgress, ProgressCounts } from '../../core/index.ts';

export type ProgressEvent =
  | ProgressCounts
  /** The sums of a run's rounds, by level. */
  | { readonly kind: 'rounds'; readonly levels: readonly LevelProgress[] }
  /** A distinct anomaly of a run, when it occurs for the first time. */
  | { readonly kind: 'finding'; readonly finding: FindingSeen }
  /** A sentence: a server is fetched, a file is read as something other than it says. */
  | { readonly kind: 'note'; readonly text: string };

export interface CallOptions {
  /** Ends the work. Schemas that it made are dropped, and a server that it started is stopped, before the call rejects. */
  readonly signal?: AbortSignal;
  /** Is called while the work goes on. An error that it throws ends the work, and the call rejects with it. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** Something that could not be judged, so that no finding there says nothing. */
export interface Inconclusive {
  readonly level: Level;
  /** The transactions or the invariant, where it is not the whole level. */
  readonly what?: string;
  readonly why: string;
}
