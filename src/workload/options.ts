/** The options of a workload. */
import type { Distribution, InstrumentMode } from '../../core/index.ts';

/** The options of the command line; an absent option was not given. */
export interface WorkloadOptions {
  readonly mode: 'stress' | 'schedule';
  readonly sessions?: number | undefined;
  /** Most sessions of a round if no number is given; absent: a few. */
  readonly mostSessions?: number | undefined;
  readonly instrument?: InstrumentMode | undefined;
  readonly towards?: string | undefined;
  readonly objects?: number | undefined;
  readonly distribution?: Distribution | undefined;
  readonly transactions?: number | undefined;
  readonly operations?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly late?: number | undefined;
  readonly scale?: number | undefined;
}
