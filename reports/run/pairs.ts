/** Prints in one line which pairs of forms met, and the others by their first form. */
import type { PairCoverage } from '../../core/index.ts';
import { counted, grouped, percent } from '../text/words.ts';

/** Returns `212 of 363 pairs of forms met in a conflict (58 %)`. */
export function pairWords({ met, notMet }: PairCoverage): string {
  const covered = Object.keys(met).length;
  const pairs = covered + notMet.length;
  return `${grouped(covered)} of ${counted(pairs, 'pair')} of forms met in a conflict${pairs === 0 ? '' : ` (${percent(covered / pairs)})`}`;
}

/** Returns `select > insert, parent`, a line for each first form. */
export function notMetLines({ notMet }: PairCoverage): readonly string[] {
  const behind = new Map<string, string[]>();
  for (const pair of notMet) {
    const [from = '', to = ''] = pair.split(' > ');
    behind.set(from, [...(behind.get(from) ?? []), to]);
  }
  return [...behind].map(([from, to]) => `${from} > ${to.join(', ')}`);
}
