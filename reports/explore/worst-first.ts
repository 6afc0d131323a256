/** The families of a level as every report has them: the worst verdict first, and of bugs those that nobody knows. */
import type { ExploreFamily, PromiseVerdict } from '../../core/index.ts';
import { isKnownBug } from '../run/explored.ts';
import type { ExploreLevel } from './report.ts';

const WORST: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

export function worstFirst({ families }: Pick<ExploreLevel, 'families'>): readonly ExploreFamily[] {
  return families.toSorted((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict) || Number(isKnownBug(a)) - Number(isKnownBug(b)));
}
