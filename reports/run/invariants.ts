/** What a report says of a workload file's invariants. */
import type { InvariantReport, LevelReport } from '../../core/index.ts';
import { counted } from '../text/words.ts';

/** One line per invariant of a level. */
export function invariantLines(level: LevelReport): readonly string[] {
  return (level.invariants ?? []).map((invariant) => {
    const { name, rounds, broken, first, verdict } = invariant;
    if (broken === 0 || first === undefined) return `${name}: held after ${counted(rounds, 'round')}`;
    const who = verdict === 'yours' ? `: ${yoursWords(invariant, 'it')}` : verdict === undefined ? '' : ` (${verdict})`;
    return `${name}: BROKEN after ${broken} of ${counted(rounds, 'round')}${who}; first after round ${first.round} (${first.rows})`;
  });
}

/** That the transactions of the file break the invariant themselves, in words. */
export function yoursWords({ culprit }: InvariantReport, what: string): string {
  const who =
    culprit === undefined
      ? ''
      : `: transaction ${culprit.transaction}${culprit.name === undefined ? '' : ` (${culprit.name})`} does, with nobody beside it`;
  return `your transactions break ${what} one after the other${who}`;
}
