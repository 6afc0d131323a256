/**
 * Draws lost updates among appends that no list shows. Two transactions that both read the longest list of their key
 * can have this form:
 *
 *     r x [9]; append x 1      9 -> 1 -> 2 or 9 -> 2 -> 1: the second transaction has lost the first one's update, so one
 *     r x [9]; append x 2      of the two orders is drawn, one that no other dependency forbids
 */
import { REL } from '../../core/index.ts';
import type { DependencyGraph } from '../../core/index.ts';
import { extended } from './extended.ts';
import type { MoreEdge } from './extended.ts';
import type { Tail } from './tails.ts';

/** The number of lost updates that are drawn, one a key. Each costs a search through the graph. */
const LOST = 100;

/** `graph` has the edges that hold in every order. */
export function withLostUpdates(graph: DependencyGraph, tails: readonly Tail[]): DependencyGraph {
  const before = new Dependencies(graph);
  const edges: MoreEdge[] = [];
  for (const { row, last, readers, members } of tails) {
    if (edges.length >= LOST) break;
    const read = new Set(readers.map(({ txn }) => txn));
    // The last writer comes first of all, and its update is not lost.
    const [one, two] = members.filter(({ txn }) => read.has(txn) && txn !== last?.txn);
    if (one === undefined || two === undefined) continue;
    const [back, forth] = [before.reaches(two.txn, one.txn), before.reaches(one.txn, two.txn)];
    if (back && forth) continue;
    const [first, second] = back ? [two, one] : [one, two];
    before.add(first.txn, second.txn);
    edges.push({ rel: REL.ww, row, from: first.last, to: second.first, version: first.last });
  }
  return extended(graph, edges);
}

/** The order of transactions by edges other than anti-dependencies. */
class Dependencies {
  private readonly graph: DependencyGraph;
  private readonly added = new Map<number, number[]>();

  constructor(graph: DependencyGraph) {
    this.graph = graph;
  }

  add(from: number, to: number): void {
    this.added.set(from, [...(this.added.get(from) ?? []), to]);
  }

  reaches(from: number, goal: number): boolean {
    const { starts, targets, rels, nodeCount } = this.graph;
    const seen = new Uint8Array(nodeCount);
    const open = [from];
    for (let v = open.pop(); v !== undefined; v = open.pop()) {
      if (v === goal) return true;
      if (seen[v] === 1) continue;
      seen[v] = 1;
      for (let e = starts[v]; e < starts[v + 1]; e++) if ((rels[e] & (REL.rw | REL.rwp)) === 0) open.push(targets[e]);
      open.push(...(this.added.get(v) ?? []));
    }
    return false;
  }
}
