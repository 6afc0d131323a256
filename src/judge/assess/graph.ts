/**
 * Judges one history: infers the dependencies, searches the graph for cycles, and asks AWDIT and scheduling too. `run`
 * does this after each round, `check` for each round of a file.
 */
import { checkRelational } from '../../../check/index.ts';
import type { RelationalVerdict } from '../../../check/index.ts';
import type { DependencyGraph, History, Level } from '../../../core/index.ts';
import { inferDependencies } from '../../../infer/index.ts';

export interface Judged {
  readonly graph: DependencyGraph;
  readonly verdict: RelationalVerdict;
}

export function assessHistory(history: History, options: { levels?: readonly Level[]; report?: 'first' | 'class' | 'all' } = {}): Judged {
  const graph = inferDependencies(history);
  return { graph, verdict: checkRelational(graph, options) };
}
