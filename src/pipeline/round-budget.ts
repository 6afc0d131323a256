/**
 * Decides when a run of rounds has used up its time. Each level gets at least one round, and something to show if that
 * takes little more time.
 */
import type { Coverage } from '../../core/index.ts';
import { testedNothing } from '../execute/index.ts';

/** Most milliseconds beyond the budget, which is never more than doubled. */
const MOST_EXTRA_MS = 30_000;

/** `ms`: time since the run began. `levels`: the coverage of each so far. */
export function isSpent(ms: number, budgetMs: number, levels: readonly Coverage[]): boolean {
  if (ms < budgetMs || levels.some(({ rounds }) => rounds === 0)) return false;
  return ms >= budgetMs + Math.min(budgetMs, MOST_EXTRA_MS) || !levels.some(testedNothing);
}
