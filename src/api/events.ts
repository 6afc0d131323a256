/** `explore`, `run` and `replay` share these options and report these events. */
import type { Level } from '../../core/level/index.ts';
import type { FindingSeen, LevelProgress, ProgressCounts } from '../../core/verdict/index.ts';

export type ProgressEvent =
  | ProgressCounts
  /** The event adds up the rounds of a run so far, by level. */
  | { readonly kind: 'rounds'; readonly levels: readonly LevelProgress[] }
  /** A distinct anomaly of a run has occurred for the first time. */
  | { readonly kind: 'finding'; readonly finding: FindingSeen }
  /** The text is one sentence, such as that a server is fetched. */
  | { readonly kind: 'note'; readonly text: string };

export interface CallOptions {
  /**
   * Aborting it ends the work. The call drops the schemas that it made, stops a server that it started, and then rejects
   * with the signal's reason.
   */
  readonly signal?: AbortSignal;
  /** The library calls it during the work. An error that it throws ends the work, and the call rejects with that error. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** This level, pair or invariant could not be judged. The absence of findings there proves nothing. */
export interface Inconclusive {
  readonly level: Level;
  /** It names the transactions or the invariant. Absent: the whole level could not be judged. */
  readonly what?: string;
  readonly why: string;
}
