/**
 * Returns in a word for how many transactions a level is shown to hold: `all`, `17 %`, `documented` (allowed.ts),
 * `violated`, `unknown`.
 */
import type { LevelReport } from '../../core/index.ts';
import { allowsWords } from './allowed.ts';
import { ownAnswer } from './figures.ts';

export function holdsWord(level: LevelReport): string {
  const { answer, code, shown } = ownAnswer(level);
  if (answer === false) return allowsWords(level) === undefined ? 'violated' : 'documented';
  if (answer === true) return 'all';
  if (code !== 'unseen') return 'unknown';
  const share = shown === undefined || shown.of === 0 ? 0 : (100 * shown.transactions) / shown.of;
  return share > 0 && share < 1 ? '< 1 %' : `${Math.floor(share)} %`;
}
