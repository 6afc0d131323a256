/** What stands of an exploration in a folder. */
import { exploreHtml } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { typedExploration } from '../process/typed-report.ts';

/** The page of the run that it is a part of, where there is one. */
const RUN_PAGE = 'report.html';

/** Name -> text; by name, `page` without its ending. */
export function exploredFiles(report: ExploreReport, page: string): Readonly<Record<string, string>> {
  return { [`${page}.html`]: exploreHtml(typedExploration(report), RUN_PAGE), [`${page}.json`]: `${JSON.stringify(report, null, 1)}\n` };
}
