/**
 * Finds the transactions that a cycle of edges rests on. They are those on the cycle and, for every derived edge, those
 * on the path that it was derived from. The path consists of earlier edges. O(edges) for each path in the worst case.
 * The clocks restrict the search to nodes that know where the path starts.
 */
import { CHAIN } from './order.ts';
import type { PathStep } from './order.ts';
import { EDGE } from './edges.ts';
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';
import type { Saturation } from './saturate.ts';
import { NONE_CHOSEN, groundsOf } from './weak-levels.ts';

export class Reasons {
  private readonly problem: Problem;
  private readonly edges: Edges;
  private readonly saturation: Saturation | undefined;
  private readonly stamp: Int32Array;
  private readonly via: Int32Array;
  private round = 0;

  constructor(problem: Problem, edges: Edges, saturation: Saturation | undefined) {
    this.problem = problem;
    this.edges = edges;
    this.saturation = saturation;
    this.stamp = new Int32Array(problem.nodeCount);
    this.via = new Int32Array(problem.nodeCount);
  }

  /** Returns all transactions that these edges rest on, ascending. */
  transactions(known: Iterable<number>, others: Iterable<number> = []): Int32Array {
    const { nodeTxn } = this.problem;
    const found = new Set<number>(others);
    const seen = new Set<number>(known);
    const see = (node: number): void => {
      if (nodeTxn[node] >= 0) found.add(nodeTxn[node]);
    };
    for (const edge of seen) {
      see(this.edges.from[edge]);
      see(this.edges.to[edge]);
      for (const t of this.witnesses(edge)) found.add(t);
      for (const step of this.pathOf(edge)) {
        see(step.from);
        see(step.to);
        if (step.edge !== CHAIN) seen.add(step.edge);
      }
    }
    return Int32Array.from(found).sort();
  }

  /**
   * Returns a cycle among nodes that no topological order could place. It is the cycle that was closed first, the
   * shortest with the edge that closed it. All its reasons are older than that edge. Edges derived after it follow from
   * a contradiction, at any length.
   */
  cycle(placed: Int32Array): readonly PathStep[] {
    const { edges } = this;
    const left = new Uint8Array(this.problem.nodeCount).fill(1);
    for (const node of placed) left[node] = 0;
    let [low, high] = [0, edges.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hasCycle(left, middle)) high = middle;
      else low = middle + 1;
    }
    const edge = low - 1;
    const closing = { edge, from: edges.from[edge], to: edges.to[edge] };
    if (closing.from === closing.to) return [closing];
    const steps = [closing, ...(this.path(closing.to, closing.from, edge, (node) => left[node] === 1) ?? [])];
    // The cycle starts at the least node, whichever edge closed it.
    const first = steps.reduce((least, step, i) => (step.from < steps[least].from ? i : least), 0);
    return [...steps.slice(first), ...steps.slice(0, first)];
  }

  /** Tells whether some nodes have a cycle along the chains and the edges below a number. */
  private hasCycle(among: Uint8Array, below: number): boolean {
    const { edges, problem } = this;
    const missing = new Int32Array(among.length);
    for (let e = 0; e < below; e++) if (among[edges.from[e]] === 1) missing[edges.to[e]]++;
    const open: number[] = [];
    let count = 0;
    for (let node = 0; node < among.length; node++) {
      if (among[node] === 0) continue;
      count++;
      if (this.isChained(node) && among[node - 1] === 1) missing[node]++;
      if (missing[node] === 0) open.push(node);
    }
    const lessMissing = (node: number): void => {
      if (among[node] === 1 && --missing[node] === 0) open.push(node);
    };
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      count--;
      if (node + 1 < problem.nodeCount && this.isChained(node + 1)) lessMissing(node + 1);
      for (let e = edges.outHead[node]; e >= 0; e = edges.outNext[e]) if (e < below) lessMissing(edges.to[e]);
    }
    return count > 0;
  }

  /** Returns the transactions in the reason of an edge beside its ends and its path. */
  private witnesses(edge: number): readonly number[] {
    const { slotTxn, readVersion, versions, versionTxn } = this.problem;
    const { kind, why } = this.edges;
    if (kind[edge] === EDGE.ww) return [versionTxn[why[edge]]];
    if (kind[edge] === EDGE.demand) return groundsOf(this.problem, this.problem.demands[why[edge]], NONE_CHOSEN).transactions;
    if (kind[edge] !== EDGE.before && kind[edge] !== EDGE.rw) return [];
    const version = readVersion[why[edge]];
    return [slotTxn[why[edge]], ...(version >= 0 && version < versions ? [versionTxn[version]] : [])];
  }

  /** Returns the path that an edge was derived from, beside the reads and writes that it names. */
  private pathOf(edge: number): readonly PathStep[] {
    const { begin, commit, slotTxn, readVersion, versions, versionTxn, nodeTxn } = this.problem;
    const { kind, why, from, to } = this.edges;
    if (kind[edge] === EDGE.before) return this.need(from[edge], begin[slotTxn[why[edge]]], edge);
    if (kind[edge] === EDGE.ww) return this.need(begin[versionTxn[why[edge]]], commit[nodeTxn[to[edge]]], edge);
    if (kind[edge] !== EDGE.rw) return [];
    const version = readVersion[why[edge]];
    return version >= versions ? [] : this.need(begin[versionTxn[version]], to[edge], edge);
  }

  private need(start: number, goal: number, below: number): readonly PathStep[] {
    const { saturation } = this;
    return (
      this.path(
        start,
        goal,
        below,
        (node) => node === start || saturation === undefined || this.problem.nodeTxn[node] < 0 || saturation.knows(node, start),
      ) ??
      this.path(start, goal, below, () => true) ??
      []
    );
  }

  /** Searches breadth first from the goal, along edges below a number. From a node to itself it finds a cycle. */
  private path(start: number, goal: number, below: number, may: (node: number) => boolean): readonly PathStep[] | undefined {
    const { stamp, via } = this;
    const round = ++this.round;
    const open = [goal];
    for (const node of open) {
      for (const { edge, from } of this.predecessors(node, below)) {
        if (from === start) {
          via[from] = edge;
          return this.walk(start, node, edge, goal);
        }
        if (stamp[from] === round || !may(from)) continue;
        stamp[from] = round;
        via[from] = edge;
        open.push(from);
      }
    }
    return undefined;
  }

  private walk(start: number, second: number, first: number, goal: number): readonly PathStep[] {
    const steps: PathStep[] = [{ edge: first, from: start, to: second }];
    for (let node = second; node !== goal;) {
      const edge = this.via[node];
      const to = edge === CHAIN ? node + 1 : this.edges.to[edge];
      steps.push({ edge, from: node, to });
      node = to;
    }
    return steps;
  }

  private predecessors(node: number, below: number): readonly { readonly edge: number; readonly from: number }[] {
    const { inHead, inNext, from } = this.edges;
    const found: { edge: number; from: number }[] = [];
    if (this.isChained(node)) found.push({ edge: CHAIN, from: node - 1 });
    for (let e = inHead[node]; e >= 0; e = inNext[e]) if (e < below) found.push({ edge: e, from: from[e] });
    return found;
  }

  /** Tells whether its session has a node before it. */
  private isChained(node: number): boolean {
    const { chainNodes, nodeSession } = this.problem;
    return node > 0 && node < chainNodes && nodeSession[node - 1] === nodeSession[node];
  }
}
