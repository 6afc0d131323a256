/** The input of a slice besides its target, and its result. */
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
  /** The reason why the slice ended early. Its result is then not used. */
  readonly endedEarly?: string | undefined;
}
