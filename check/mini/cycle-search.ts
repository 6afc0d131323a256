/**
 * Finds a short cycle in every strongly connected component of a graph. Its nodes are transactions and helpers that
 * cost nothing: session chains, the real-time chain, begin and commit of one transaction. The search runs breadth first
 * in levels of edges that count, from a sample of starts and then from the nodes of the best cycle found. Within its
 * budget the result is the shortest cycle through any of the starts. O(nodes + edges) each.
 */
import { buildCsr, stronglyConnected } from '../../graph/index.ts';

export interface EdgeColumns {
  readonly source: number[];
  readonly target: number[];
}

/**
 * Returns the edge numbers of one cycle per component that has one, in order. Components are in order of their first
 * node.
 */
export function cyclesOf(
  nodeCount: number,
  edges: EdgeColumns,
  isStart: (node: number) => boolean,
  isFree: (edge: number) => boolean,
  most: number,
): readonly (readonly number[])[] {
  const { starts, targets, order } = buildCsr(nodeCount, edges.source, edges.target);
  const { count, component, memberStarts, members } = stronglyConnected(nodeCount, starts, targets);
  const cycles: (readonly number[])[] = [];
  const free = Uint8Array.from(order, (e) => (isFree(e) ? 1 : 0));
  const search = new Search(starts, targets, component, free, nodeCount);
  for (let c = count - 1; c >= 0 && cycles.length < most; c--) {
    if (memberStarts[c + 1] - memberStarts[c] < 2) continue;
    const real: number[] = [];
    for (let m = memberStarts[c]; m < memberStarts[c + 1]; m++) if (isStart(members[m])) real.push(members[m]);
    const sample = real.length <= 200 ? real : real.filter((_, i) => i % Math.ceil(real.length / 50) === 0);
    let best: readonly number[] | undefined;
    let bestCost = Infinity;
    const consider = (from: readonly number[]): boolean => {
      let better = false;
      for (const start of from) {
        if (best !== undefined && search.budget <= 0) break;
        const found = search.through(start, bestCost);
        if (found === undefined) continue;
        ({ edges: best, cost: bestCost } = found);
        better = true;
      }
      return better;
    };
    // While a shorter cycle is found, the search starts again from its nodes.
    let better = consider(sample);
    while (better) better = consider((best ?? []).map((e) => targets[e]).filter(isStart));
    if (best !== undefined) cycles.push(best.map((e) => order[e]));
  }
  return cycles;
}

class Search {
  /** The edge visits left for more than one cycle per component. */
  budget = 20_000_000;
  private readonly starts: Uint32Array;
  private readonly targets: Uint32Array;
  private readonly component: Int32Array;
  private readonly free: Uint8Array;
  private readonly distance: Int32Array;
  private readonly stamp: Int32Array;
  private readonly via: Int32Array;
  private readonly parent: Int32Array;
  private level: Int32Array;
  private next: Int32Array;
  private round = 0;

  constructor(starts: Uint32Array, targets: Uint32Array, component: Int32Array, free: Uint8Array, nodeCount: number) {
    this.starts = starts;
    this.targets = targets;
    this.component = component;
    this.free = free;
    this.distance = new Int32Array(nodeCount);
    this.stamp = new Int32Array(nodeCount);
    this.via = new Int32Array(nodeCount);
    this.parent = new Int32Array(nodeCount);
    this.level = new Int32Array(nodeCount);
    this.next = new Int32Array(nodeCount);
  }

  /** Returns a cycle through `start` that costs less than `below`. */
  through(start: number, below: number): { edges: readonly number[]; cost: number } | undefined {
    const { starts, targets, component, stamp, via, parent, free, distance } = this;
    const round = ++this.round;
    const home = component[start];
    let levelSize = 0;
    let nextSize = 0;
    let found: { edges: readonly number[]; cost: number } | undefined;
    this.level[levelSize++] = start;
    stamp[start] = round;
    distance[start] = 0;
    for (let cost = 0; levelSize > 0 && cost < below; cost++) {
      for (let i = 0; i < levelSize; i++) {
        const v = this.level[i];
        if (distance[v] < cost) continue; // reached for less meanwhile
        for (let e = starts[v]; e < starts[v + 1]; e++) {
          this.budget--;
          const w = targets[e];
          if (component[w] !== home) continue;
          const then = cost + 1 - free[e];
          if (then >= below) continue;
          if (w === start) {
            found = { edges: this.walk(start, v, e), cost: then };
            below = then;
            continue;
          }
          if (stamp[w] === round && distance[w] <= then) continue;
          stamp[w] = round;
          distance[w] = then;
          via[w] = e;
          parent[w] = v;
          if (then > cost) this.next = pushed(this.next, nextSize++, w);
          else this.level = pushed(this.level, levelSize++, w);
        }
      }
      [this.level, this.next] = [this.next, this.level];
      levelSize = nextSize;
      nextSize = 0;
    }
    return found;
  }

  private walk(start: number, end: number, last: number): readonly number[] {
    const edges = [last];
    for (let v = end; v !== start; v = this.parent[v]) edges.push(this.via[v]);
    return edges.reverse();
  }
}

/** A node can be entered twice, for a higher and then for a lower cost, so a level may outgrow the node count. */
function pushed(list: Int32Array, at: number, value: number): Int32Array {
  let wide = list;
  if (at === list.length) {
    wide = new Int32Array(2 * list.length + 8);
    wide.set(list);
  }
  wide[at] = value;
  return wide;
}
