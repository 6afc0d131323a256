/**
 * A topological order that is maintained while edges are added and taken back (Pearce and Kelly, A dynamic topological
 * sort algorithm for directed acyclic graphs, JEA 11, 2006). Only nodes between the two ends of an edge that points
 * backward are visited and moved. An edge that closes a cycle is not added, and the cycle is returned. Taking edges
 * back leaves the order valid. The chains of sessions are edges too.
 */
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';
import type { Span } from './replay.ts';

/** Stands for an edge of a chain in a path. */
export const CHAIN = -2;

/** If the moved places exceed this many times the number of all places, the whole order is examined. */
const MOST_MOVED = 4;

export class Order {
  /** The nodes in order, and the place of each. */
  readonly sequence: Int32Array;
  readonly place: Int32Array;
  /** The number of edges visited, for a budget. */
  work = 0;
  private readonly edges: Edges;
  private readonly chainNodes: number;
  private readonly nodeSession: Int32Array;
  private readonly stamp: Int32Array;
  private readonly via: Int32Array;
  private round = 0;
  private readonly ahead: number[] = [];
  private readonly behind: number[] = [];
  /** The places of nodes that have moved: first and last of each move. */
  private moves: Span[] = [];
  private movedPlaces = 0;

  constructor({ chainNodes, nodeSession, nodeCount }: Problem, edges: Edges, sequence: Int32Array) {
    this.edges = edges;
    this.chainNodes = chainNodes;
    this.nodeSession = nodeSession;
    this.sequence = sequence;
    this.place = new Int32Array(nodeCount);
    for (let i = 0; i < sequence.length; i++) this.place[sequence[i]] = i;
    this.stamp = new Int32Array(nodeCount);
    this.via = new Int32Array(nodeCount);
  }

  /**
   * Returns undefined if the order now has room for the edge, which the caller adds. Otherwise returns a path from `to`
   * to `from`: edges, or CHAIN with its source.
   */
  admit(from: number, to: number): readonly PathStep[] | undefined {
    const { place } = this;
    if (from === to) return [];
    if (place[from] < place[to]) return undefined;
    if (this.forward(to, from)) return this.path(to, from);
    this.backward(from, place[to]);
    this.reorder();
    return undefined;
  }

  /**
   * Returns where nodes have moved since the last call, ascending, each part with `margin` places on both sides.
   * Returns undefined if much of the order moved.
   */
  takeMoves(margin: number): readonly Span[] | undefined {
    const { moves, movedPlaces, place } = this;
    this.moves = [];
    this.movedPlaces = 0;
    if (movedPlaces > MOST_MOVED * place.length) return undefined;
    const parts: [number, number][] = [];
    for (const [first, last] of moves.toSorted((a, b) => a[0] - b[0])) {
      const [from, to] = [Math.max(0, first - margin), Math.min(this.sequence.length - 1, last + margin)];
      const before = parts.at(-1);
      if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
      else parts.push([from, to]);
    }
    return parts;
  }

  private moved(span: Span): void {
    const { place, movedPlaces } = this;
    if (movedPlaces > MOST_MOVED * place.length) return;
    this.movedPlaces += span[1] - span[0] + 1;
    this.moves.push(span);
  }

  /**
   * Marks the nodes that `start` reaches up to the place of `goal`. Returns true if it reaches `goal`. The search is
   * breadth first, so that paths are short.
   */
  private forward(start: number, goal: number): boolean {
    const { edges, stamp, via, place, ahead } = this;
    const round = ++this.round;
    const limit = place[goal];
    ahead.length = 0;
    ahead.push(start);
    stamp[start] = round;
    for (let i = 0; i < ahead.length; i++) {
      const node = ahead[i];
      const next = this.nextInChain(node);
      if (next >= 0 && stamp[next] !== round && place[next] <= limit) {
        stamp[next] = round;
        via[next] = CHAIN;
        if (next === goal) return true;
        ahead.push(next);
      }
      for (let e = edges.outHead[node]; e >= 0; e = edges.outNext[e]) {
        this.work++;
        const to = edges.to[e];
        if (stamp[to] === round || place[to] > limit) continue;
        stamp[to] = round;
        via[to] = e;
        if (to === goal) return true;
        ahead.push(to);
      }
    }
    return false;
  }

  private backward(start: number, limit: number): void {
    const { edges, stamp, place, behind } = this;
    const round = ++this.round;
    behind.length = 0;
    behind.push(start);
    stamp[start] = round;
    for (let i = 0; i < behind.length; i++) {
      const node = behind[i];
      const before = this.beforeInChain(node);
      if (before >= 0 && stamp[before] !== round && place[before] >= limit) {
        stamp[before] = round;
        behind.push(before);
      }
      for (let e = edges.inHead[node]; e >= 0; e = edges.inNext[e]) {
        this.work++;
        const from = edges.from[e];
        if (stamp[from] === round || place[from] < limit) continue;
        stamp[from] = round;
        behind.push(from);
      }
    }
  }

  /** Gives the nodes behind the first of all their places, and those ahead the rest, both in their old order. */
  private reorder(): void {
    const { ahead, behind, place, sequence } = this;
    const byPlace = (a: number, b: number): number => place[a] - place[b];
    behind.sort(byPlace);
    ahead.sort(byPlace);
    const nodes = [...behind, ...ahead];
    const places = nodes.map((node) => place[node]).sort((a, b) => a - b);
    this.work += 4 * nodes.length;
    this.moved([places[0], places[places.length - 1]]);
    nodes.forEach((node, i) => {
      place[node] = places[i];
      sequence[places[i]] = node;
    });
  }

  private path(start: number, goal: number): readonly PathStep[] {
    const steps: PathStep[] = [];
    for (let node = goal; node !== start;) {
      const edge = this.via[node];
      const from = edge === CHAIN ? node - 1 : this.edges.from[edge];
      steps.push({ edge, from, to: node });
      node = from;
    }
    return steps.reverse();
  }

  private nextInChain(node: number): number {
    return node + 1 < this.chainNodes && this.nodeSession[node + 1] === this.nodeSession[node] ? node + 1 : -1;
  }

  private beforeInChain(node: number): number {
    return node > 0 && node < this.chainNodes && this.nodeSession[node - 1] === this.nodeSession[node] ? node - 1 : -1;
  }
}

export interface PathStep {
  /** An edge, or CHAIN. */
  readonly edge: number;
  readonly from: number;
  readonly to: number;
}
