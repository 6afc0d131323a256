/**
 * One history, judged: dependencies inferred, the graph checked. What `run` does after each round and `check` with each
 * round of a file.
 */
import { checkGraph } from '../check/index.ts';
import type { DependencyGraph, History, Level, Verdict } from '../core/index.ts';
import { inferDependencies } from '../infer/index.ts';

export interface Judged {
  readonly graph: DependencyGraph;
  readonly verdict: Verdict;
}

export function judgeHistory(history: History, options: { levels?: readonly Level[]; report?: 'first' | 'class' | 'all' } = {}): Judged {
  const graph = inferDependencies(history);
  return { graph, verdict: checkGraph(graph, options) };
}
