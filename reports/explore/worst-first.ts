/** The families of a level in the order of every report: the worst verdict first, and unknown bugs before known ones. */
import type { ExploreFamily, PromiseVerdict } from '../../core/index.ts';
import { isKnownBug } from '../run/explored.ts';
import type { ExploreLevel } from './report.ts';

const WORST: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

export function worstFirst({ families }: Pick<ExploreLevel, 'families'>): readonly ExploreFamily[] {
  return families.toSorted((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict) || Number(isKnownBug(a)) - Number(isKnownBug(b)));
}
