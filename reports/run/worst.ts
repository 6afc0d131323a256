/** The finding to look at first: of the worst verdict, one that was replayed, else the first. */
import type { PromiseVerdict, Report } from '../../core/index.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

export function worstFinding(report: Report, verdict?: PromiseVerdict): NumberedFinding | undefined {
  const all = numberedFindings(report);
  const wanted = verdict ?? all[0]?.finding.judgement.verdict;
  const worst = all.filter(({ finding }) => finding.judgement.verdict === wanted);
  return worst.find(({ finding }) => finding.reproduction !== undefined) ?? worst[0];
}
