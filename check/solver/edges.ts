/**
 * The edges that every order keeps, each with its reason, in columns. The chains of sessions are edges that are not
 * stored. Edges are only added: a derived one rests on earlier ones alone. Adding is amortised O(1), 22 bytes each.
 */
import type { Demand, Problem } from './problem.ts';

/** The meaning of an edge, and of `why` with it. */
export const EDGE = {
  /** A read (slot) of a version. */
  wr: 1,
  /** A reader (slot) of a version before a transaction that overwrites it: the version's writer comes first. */
  rw: 2,
  /** Another writer of a key before the writer of the version that a reader (slot) saw after it. */
  before: 3,
  /** The writer of a key that began before the other's commit (version of the first). */
  ww: 4,
  realTime: 5,
  /**
   * A weaker level demands this order of two writers of a key, or of the reader of an initial version and a writer
   * (number of a demand).
   */
  demand: 6,
} as const;

export class Edges {
  count = 0;
  from: Int32Array;
  to: Int32Array;
  why: Int32Array;
  kind: Uint8Array;
  /** 1 if a path of other edges says it too, for ever (saturate.ts). */
  implied: Uint8Array;
  /** The last edge into (out of) each node, and the one before each edge, or -1. */
  readonly inHead: Int32Array;
  readonly outHead: Int32Array;
  inNext: Int32Array;
  outNext: Int32Array;

  constructor(nodes: number, capacity: number) {
    const size = Math.max(16, capacity);
    this.from = new Int32Array(size);
    this.to = new Int32Array(size);
    this.why = new Int32Array(size);
    this.kind = new Uint8Array(size);
    this.implied = new Uint8Array(size);
    this.inNext = new Int32Array(size);
    this.outNext = new Int32Array(size);
    this.inHead = new Int32Array(nodes).fill(-1);
    this.outHead = new Int32Array(nodes).fill(-1);
  }

  add(from: number, to: number, kind: number, why: number): number {
    if (this.count === this.from.length) this.grow();
    const e = this.count++;
    this.from[e] = from;
    this.to[e] = to;
    this.kind[e] = kind;
    this.implied[e] = 0;
    this.why[e] = why;
    this.inNext[e] = this.inHead[to];
    this.outNext[e] = this.outHead[from];
    this.inHead[to] = e;
    this.outHead[from] = e;
    return e;
  }

  /** Takes the last edge back. */
  drop(): void {
    const e = --this.count;
    this.inHead[this.to[e]] = this.inNext[e];
    this.outHead[this.from[e]] = this.outNext[e];
  }

  private grow(): void {
    const size = Math.ceil(this.from.length * 1.5);
    const wide = (column: Int32Array): Int32Array => {
      const wider = new Int32Array(size);
      wider.set(column);
      return wider;
    };
    this.from = wide(this.from);
    this.to = wide(this.to);
    this.why = wide(this.why);
    this.inNext = wide(this.inNext);
    this.outNext = wide(this.outNext);
    const bytes = (column: Uint8Array): Uint8Array => {
      const wider = new Uint8Array(size);
      wider.set(column);
      return wider;
    };
    this.kind = bytes(this.kind);
    this.implied = bytes(this.implied);
  }
}

/** Returns wr, real time and the demands of weaker levels: the edges that exist before anything is derived. */
export function knownEdges(problem: Problem): Edges {
  const { size, begin, commit, readStart, readVersion, weakStart, weakVersion, realTime, chainNodes, nodeCount, demands } = problem;
  const edges = new Edges(nodeCount, readVersion.length + weakVersion.length + demands.length + (realTime === undefined ? 0 : 3 * size));
  for (let t = 0; t < size; t++) {
    for (let i = readStart[t]; i < readStart[t + 1]; i++) addRead(problem, edges, t, readVersion[i], i);
    for (let i = weakStart[t]; i < weakStart[t + 1]; i++) addRead(problem, edges, t, weakVersion[i], readVersion.length + i);
  }
  demands.forEach((demand, d) => edges.add(...demandEnds(problem, demand), EDGE.demand, d));
  if (realTime === undefined) return edges;
  for (let node = chainNodes + 1; node < nodeCount; node++) edges.add(node - 1, node, EDGE.realTime, -1);
  for (let t = 0; t < size; t++) {
    if (realTime.enters[t] >= 0) edges.add(commit[t], realTime.enters[t], EDGE.realTime, -1);
    if (realTime.leaves[t] >= 0) edges.add(realTime.leaves[t], begin[t], EDGE.realTime, -1);
  }
  return edges;
}

function addRead({ begin, commit, versions, versionTxn, session }: Problem, edges: Edges, t: number, v: number, slot: number): void {
  if (v < 0 || v >= versions) return;
  const w = versionTxn[v];
  // A session's order says the same, unless it says the contrary.
  if (session[w] !== session[t] || w > t) edges.add(commit[w], begin[t], EDGE.wr, slot);
}

/**
 * Nothing comes before the initial transaction. The reader would then have to come before a transaction in its past,
 * which closes a cycle.
 */
export function demandEnds({ begin, commit, slotTxn }: Problem, { first, second, slot }: Demand): [from: number, to: number] {
  return second < 0 ? [begin[slotTxn[slot]], commit[first]] : [commit[first], begin[second]];
}
