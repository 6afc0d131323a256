/** Returns notes about findings that the report does not show whole. */
import type { Note } from '../../core/index.ts';
import { MOST_FINDINGS, MOST_OF_FAMILY } from '../judge/findings/findings.ts';

export function leftOut(dropped: number, lines: number): readonly Note[] {
  const notes: Note[] = [];
  if (dropped > 0)
    notes.push({ code: 'anomalies-dropped', data: { anomalies: dropped, kept: MOST_FINDINGS, keptOfFamily: MOST_OF_FAMILY } });
  if (lines > 0) notes.push({ code: 'findings-listed', data: { findings: lines } });
  return notes;
}
