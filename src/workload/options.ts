/** What the command line says of a workload. */
import type { Distribution, InstrumentMode } from '../../core/index.ts';

/** What the command line gave; an absent option was not given. */
export interface WorkloadOptions {
  readonly mode: 'stress' | 'schedule';
  readonly sessions?: number | undefined;
  /** As many as a round may open where none are asked for; absent: a handful. */
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
