/** Besides its target, a slice gets this input and returns this result. */
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
  /** It says why the slice ended early. The result is then not used. */
  readonly endedEarly?: string | undefined;
}
