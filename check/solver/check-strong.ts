/**
 * Checks each strong level by the linear algorithms if the reads fix all version orders, and otherwise by the solver.
 */
import type { KvHistory, KvVerdict, StrongLevel } from '../../core/index.ts';
import { prepare, checkLinked } from '../mini/check-mini.ts';
import { linkOperations } from '../mini/link.ts';
import type { StrongOptions } from '../search/check-search.ts';
import { solveLinked } from './check-solver.ts';

export function checkStrong(history: KvHistory, levels: readonly StrongLevel[], options: StrongOptions = {}): readonly KvVerdict[] {
  const prepared = prepare(linkOperations(history));
  return levels.map((level) => {
    const verdict =
      prepared.undetermined === undefined ? checkLinked(prepared, level, options) : solveLinked(prepared.links, level, options);
    options.answered?.(verdict);
    return verdict;
  });
}
