/** The input of a run's text on stdout. */
import type { Report } from '../../core/index.ts';
import type { ExploreReport } from '../explore/report.ts';

export interface BriefInput {
  readonly report: Report;
  /** The whole behind `report.explored`: the small programs, or the rounds without instrumentation. */
  readonly explored?: ExploreReport | undefined;
}
