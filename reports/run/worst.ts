/**
 * The finding to look at first, of the rounds or of what was explored: a bug that nobody knows, then a known one, then what is
 * undocumented, then what is documented; of equals one that was replayed, else the first. It is finding 1.
 */
import type { Report } from '../../core/index.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

export function worstOf(report: Pick<Report, 'findings'>): NumberedFinding | undefined {
  return numberedFindings(report)[0];
}
