/** What a run tells a terminal. */
import type { Report } from '../../core/index.ts';
import type { ExploreReport } from '../explore/report.ts';

export interface BriefInput {
  readonly report: Report;
  /** All of what `report.explored` comes to: the small programs, or the rounds without instrumentation. */
  readonly explored?: ExploreReport | undefined;
}
