/** The files of an exploration in a folder. */
import { exploreHtml } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { typedExploration } from '../process/typed-report.ts';

/** The page of the run that contains the exploration, if there is one. */
const RUN_PAGE = 'report.html';

/** Returns texts by file name. `page`: a file name without its ending. */
export function exploredFiles(report: ExploreReport, page: string): Readonly<Record<string, string>> {
  return { [`${page}.html`]: exploreHtml(typedExploration(report), RUN_PAGE), [`${page}.json`]: `${JSON.stringify(report, null, 1)}\n` };
}
