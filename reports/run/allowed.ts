/** Describes a level that was violated as the vendor documents it, in the vendor's favour. */
import type { LevelReport } from '../../core/index.ts';
import { counted } from '../text/words.ts';
import { ownAnswer, standing } from './figures.ts';

/** Most names that are listed. The rest are counted. */
const NAMED = 2;
const OF_MIXED = "allows anomalies that the definition of each transaction's own level forbids, as documented";

/** Returns `allows write skew, as documented`. Undefined: the level was not violated, or not by documented anomalies alone. */
export function allowsWords(level: LevelReport): string | undefined {
  if (ownAnswer(level).answer !== false || standing(level).kind !== 'documented') return undefined;
  const names = Object.entries(level.names)
    .map(([name, { documented = 0 }]) => ({ name, documented }))
    .filter(({ documented }) => documented > 0)
    .toSorted((a, b) => b.documented - a.documented)
    .map(({ name }) => name);
  if (names.length === 0) return OF_MIXED;
  const more = names.length - NAMED;
  const shown = names.slice(0, NAMED);
  const list = more > 0 ? `${shown.join(', ')} and ${counted(more, 'other')}` : shown.join(' and ');
  return `allows ${list}, as documented`;
}
