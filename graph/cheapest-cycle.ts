/**
 * Finds a cycle through the given nodes with the fewest costly edges and, among those, the fewest edges. Dijkstra's
 * algorithm with a binary heap runs from every start and stops at the best cost so far. The result is exact when the
 * search ends within its budget of edge visits. Otherwise it is the best cycle found so far. O(starts * edges * log
 * nodes).
 */
export interface CheapestCycleGraph {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** One entry per edge: 1 for a costly edge. */
  readonly costly: Uint8Array;
}

/** One costly edge costs more than any path of cheap ones. */
const COSTLY = 2 ** 32;

/**
 * Returns the edges of the cycle in order. The result is undefined if no node of `from` lies on a cycle within
 * `inside`, or if the budget ended before one was found.
 */
export function cheapestCycle(
  graph: CheapestCycleGraph,
  from: ArrayLike<number>,
  inside: (node: number) => boolean,
  budget = 5_000_000,
): readonly number[] | undefined {
  const { starts, targets, costly } = graph;
  const search = new Search(starts.length - 1);
  let best: number[] | undefined;
  let bestCost = Infinity;
  let visits = 0;
  for (let s = 0; s < from.length && visits < budget; s++) {
    const root = from[s];
    search.begin(root);
    let found = -1;
    for (let v = search.pop(); v >= 0 && visits < budget; v = search.pop()) {
      const cost = search.costOf(v);
      if (cost >= bestCost) break;
      for (let e = starts[v]; e < starts[v + 1]; e++) {
        const w = targets[e];
        visits++;
        const next = cost + 1 + costly[e] * COSTLY;
        if (next >= bestCost) continue;
        if (w === root) {
          bestCost = next;
          found = e;
        } else if (inside(w)) search.relax(w, next, e, v);
      }
    }
    if (found >= 0) best = search.pathTo(found, root, starts);
  }
  return best;
}

/**
 * Keeps costs and parents by node, reset by a stamp, and a heap of nodes ordered by cost. A key is decreased by
 * inserting it again.
 */
class Search {
  private readonly cost: Float64Array;
  private readonly parentEdge: Int32Array;
  private readonly parent: Int32Array;
  private readonly stamp: Int32Array;
  private round = 0;
  private nodes: number[] = [];
  private costs: number[] = [];

  constructor(nodeCount: number) {
    this.cost = new Float64Array(nodeCount);
    this.parentEdge = new Int32Array(nodeCount);
    this.parent = new Int32Array(nodeCount);
    this.stamp = new Int32Array(nodeCount);
  }

  begin(root: number): void {
    this.round++;
    this.nodes = [];
    this.costs = [];
    this.stamp[root] = this.round;
    this.cost[root] = 0;
    this.parent[root] = -1;
    this.push(root, 0);
  }

  costOf(v: number): number {
    return this.cost[v];
  }

  relax(v: number, cost: number, edge: number, parent: number): void {
    if (this.stamp[v] === this.round && this.cost[v] <= cost) return;
    this.stamp[v] = this.round;
    this.cost[v] = cost;
    this.parentEdge[v] = edge;
    this.parent[v] = parent;
    this.push(v, cost);
  }

  /** Returns the next node in order of cost, or -1. */
  pop(): number {
    for (;;) {
      if (this.nodes.length === 0) return -1;
      const node = this.nodes[0];
      const cost = this.costs[0];
      const lastNode = this.nodes.pop() as number;
      const lastCost = this.costs.pop() as number;
      if (this.nodes.length > 0) this.sink(lastNode, lastCost);
      if (cost === this.cost[node]) return node;
    }
  }

  /** Returns the cycle that the edge `last` closes at the root. */
  pathTo(last: number, root: number, starts: Uint32Array): number[] {
    const edges = [last];
    let v = sourceOf(last, starts);
    while (v !== root) {
      edges.push(this.parentEdge[v]);
      v = this.parent[v];
    }
    return edges.reverse();
  }

  private push(node: number, cost: number): void {
    const { nodes, costs } = this;
    let i = nodes.length;
    nodes.push(node);
    costs.push(cost);
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (costs[up] <= cost) break;
      nodes[i] = nodes[up];
      costs[i] = costs[up];
      i = up;
    }
    nodes[i] = node;
    costs[i] = cost;
  }

  private sink(node: number, cost: number): void {
    const { nodes, costs } = this;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= nodes.length) break;
      if (child + 1 < nodes.length && costs[child + 1] < costs[child]) child++;
      if (costs[child] >= cost) break;
      nodes[i] = nodes[child];
      costs[i] = costs[child];
      i = child;
    }
    nodes[i] = node;
    costs[i] = cost;
  }
}

/** Finds the node whose row holds edge e by binary search. */
function sourceOf(e: number, starts: Uint32Array): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= e) low = middle;
    else high = middle - 1;
  }
  return low;
}
