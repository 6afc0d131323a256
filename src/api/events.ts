/** The options that `explore`, `run` and `replay` share, and the events that they report. */
import type { Level } from '../../core/level/index.ts';
import type { FindingSeen, LevelProgress, ProgressCounts } from '../../core/verdict/index.ts';

export type ProgressEvent =
  | ProgressCounts
  /** The rounds of a run so far, added up by level. */
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

/** A level, pair or invariant that could not be judged. The absence of findings there proves nothing. */
export interface Inconclusive {
  readonly level: Level;
  /** The name of the transactions or of the invariant. Absent: the whole level could not be judged. */
  readonly what?: string;
  readonly why: string;
}
