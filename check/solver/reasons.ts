/**
 * What a cycle of edges rests on: the transactions on it, and, for every edge that was concluded, those on the path that
 * it was concluded from, which is made of earlier edges. O(edges) for each path in the worst case; the clocks keep the
 * search to nodes that know where the path starts.
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

  /** All transactions that these edges rest on, ascending. */
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

  /** A cycle among nodes that no topological order could place, the shortest through some of them. */
  cycle(placed: Int32Array): readonly PathStep[] {
    const left = new Uint8Array(this.problem.nodeCount).fill(1);
    for (const node of placed) left[node] = 0;
    let node = left.indexOf(1);
    const seen = new Set<number>();
    // every node that is left has a predecessor that is left
    for (; !seen.has(node); node = this.predecessors(node, Infinity).find(({ from }) => left[from] === 1)?.from ?? node) seen.add(node);
    const on = [...seen];
    let best: readonly PathStep[] | undefined;
    const stride = Math.ceil((on.length - on.indexOf(node)) / 40);
    for (let i = on.indexOf(node); i < on.length; i += stride) {
      const found = this.path(on[i], on[i], Infinity, (from) => left[from] === 1);
      if (found !== undefined && (best === undefined || found.length < best.length)) best = found;
    }
    return best ?? [];
  }

  /** Who is in the reason of an edge beside its ends and its path. */
  private witnesses(edge: number): readonly number[] {
    const { slotTxn, readVersion, versions, versionTxn } = this.problem;
    const { kind, why } = this.edges;
    if (kind[edge] === EDGE.ww) return [versionTxn[why[edge]]];
    if (kind[edge] === EDGE.demand) return groundsOf(this.problem, this.problem.demands[why[edge]], NONE_CHOSEN).transactions;
    if (kind[edge] !== EDGE.before && kind[edge] !== EDGE.rw) return [];
    const version = readVersion[why[edge]];
    return [slotTxn[why[edge]], ...(version >= 0 && version < versions ? [versionTxn[version]] : [])];
  }

  /** What an edge was concluded from, beside the reads and writes that it names. */
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

  /** Breadth first from the goal, along edges below a number; from a node to itself it is a cycle. */
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
    const { chainNodes, nodeSession } = this.problem;
    const { inHead, inNext, from } = this.edges;
    const found: { edge: number; from: number }[] = [];
    if (node > 0 && node < chainNodes && nodeSession[node - 1] === nodeSession[node]) found.push({ edge: CHAIN, from: node - 1 });
    for (let e = inHead[node]; e >= 0; e = inNext[e]) if (e < below) found.push({ edge: e, from: from[e] });
    return found;
  }
}
