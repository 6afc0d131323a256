/** When a run of rounds has used up its time. Each level has at least one round, and something to show if that takes no long time more. */
import type { Coverage } from '../../core/index.ts';
import { testedNothing } from '../execute/index.ts';

/** Beyond the budget, which is never more than doubled. */
const MOST_EXTRA_MS = 30_000;

/** `ms`: since the run began; `levels`: what each of them has shown so far. */
export function isSpent(ms: number, budgetMs: number, levels: readonly Coverage[]): boolean {
  if (ms < budgetMs || levels.some(({ rounds }) => rounds === 0)) return false;
  return ms >= budgetMs + Math.min(budgetMs, MOST_EXTRA_MS) || !levels.some(testedNothing);
}
