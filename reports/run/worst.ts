/**
 * Returns the finding to look at first, of rounds or exploration, which has number 1. The order is: bugs that are not
 * known, known bugs, undocumented findings, documented ones. Among equals those that were replayed come first.
 */
import type { Report } from '../../core/index.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

export function worstOf(report: Pick<Report, 'findings'>): NumberedFinding | undefined {
  return numberedFindings(report)[0];
}
