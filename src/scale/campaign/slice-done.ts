/** What a slice is given besides its target, and what comes of it. */
import type { Progress } from '../../process/progress.ts';
import type { SliceResult } from './store/store.ts';

export interface SliceAround {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly runId: string;
}

export interface SliceDone {
  readonly result: SliceResult;
  readonly findings: number;
  /** Then it is no result. */
  readonly endedEarly?: string | undefined;
}
