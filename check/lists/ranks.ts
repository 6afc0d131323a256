/**
 * Orders transactions so that the edges of some relations are kept. It takes, among the possible next transactions, the
 * one that ended first.
 */
import { NONE } from '../../core/index.ts';
import type { DependencyGraph } from '../../core/index.ts';

/** One transaction before another: an assumed order of two appends. */
export interface Before {
  /** The number of the tail that both are members of. */
  readonly tail: number;
  readonly first: number;
  readonly second: number;
}

/**
 * Returns the place of each node. The result is undefined if the edges of the mask and the assumed orders have a cycle.
 */
export function ranksOf(graph: DependencyGraph, mask: number, assumed: readonly Before[]): Int32Array | undefined {
  const { nodeCount, starts, targets, rels } = graph;
  const after = new Map<number, number[]>();
  const waiting = new Int32Array(nodeCount);
  for (const { first, second } of assumed) {
    after.set(first, [...(after.get(first) ?? []), second]);
    waiting[second]++;
  }
  for (let e = 0; e < targets.length; e++) if ((rels[e] & mask) !== 0) waiting[targets[e]]++;
  const ready = new Ready(endsOf(graph));
  for (let v = 0; v < nodeCount; v++) if (waiting[v] === 0) ready.add(v);
  const ranks = new Int32Array(nodeCount);
  let placed = 0;
  for (let v = ready.next(); v !== NONE; v = ready.next()) {
    ranks[v] = placed++;
    for (let e = starts[v]; e < starts[v + 1]; e++) if ((rels[e] & mask) !== 0 && --waiting[targets[e]] === 0) ready.add(targets[e]);
    for (const w of after.get(v) ?? []) if (--waiting[w] === 0) ready.add(w);
  }
  return placed === nodeCount ? ranks : undefined;
}

/** Returns when each transaction ended, as far as known. Nodes that are no transactions come first. */
function endsOf({ nodeCount, txnCount, history: { transactions } }: DependencyGraph): Float64Array {
  const ends = new Float64Array(nodeCount);
  for (let t = 1; t < txnCount; t++) ends[t] = Number.isNaN(transactions.endAt[t]) ? Infinity : transactions.endAt[t];
  return ends;
}

/** A heap with the least end first. Equal ends are ordered by number. */
class Ready {
  private readonly heap: number[] = [];
  private readonly ends: Float64Array;

  constructor(ends: Float64Array) {
    this.ends = ends;
  }

  add(v: number): void {
    const { heap } = this;
    let i = heap.push(v) - 1;
    while (i > 0 && this.less(heap[i], heap[(i - 1) >> 1])) {
      const up = (i - 1) >> 1;
      [heap[i], heap[up]] = [heap[up], heap[i]];
      i = up;
    }
  }

  /** Returns NONE if the heap is empty. */
  next(): number {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined) return NONE;
    if (heap.length === 0) return last;
    heap[0] = last;
    for (let i = 0; ;) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (left < heap.length && this.less(heap[left], heap[least])) least = left;
      if (right < heap.length && this.less(heap[right], heap[least])) least = right;
      if (least === i) return first;
      [heap[i], heap[least]] = [heap[least], heap[i]];
      i = least;
    }
  }

  private less(a: number, b: number): boolean {
    return this.ends[a] < this.ends[b] || (this.ends[a] === this.ends[b] && a < b);
  }
}
