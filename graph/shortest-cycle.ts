/**
 * Finds the shortest simple cycle under an automaton over edge kinds. It searches breadth first over (node, state),
 * from every node of a component that has a fitting first edge. A node beyond `realCount` is a step of the real-time
 * chain and costs nothing, so the length is the number of transactions. These nodes are entered at the level of the
 * node before them (0-1 search).
 *
 * A shortest closed walk can pass a node twice in different states, and then it is no cycle. In that case a depth-first
 * search over simple paths decides, within its own budget. One component of n nodes and m edges costs O(n m) in the
 * worst case. The search stops at `budget` edge visits with the best cycle so far.
 */
import { CycleAutomaton } from './cycle-automaton.ts';
import type { CycleSpec } from './cycle-automaton.ts';
import { SimplePath } from './simple-path.ts';

export interface CycleGraph {
  readonly nodeCount: number;
  /** Nodes from this one on cost nothing. */
  readonly realCount: number;
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly rels: Uint16Array;
}

export interface Found {
  /** The edges (places in the CSR) in order, or undefined if there is no cycle. */
  readonly cycle: readonly number[] | undefined;
  /** The budget ended the search, so a shorter cycle, or any cycle at all, may exist. */
  readonly exhausted: boolean;
}

export interface SearchOptions {
  /** The number of edge visits allowed. */
  readonly budget?: number;
  /** Only edges with 1 here may be the first. */
  readonly firstEdges?: Uint8Array;
}

const DEPTH_FIRST_BUDGET = 50_000;

/** Searches the component whose nodes are `members`. `component` tells which nodes belong to it. */
export function shortestCycle(
  graph: CycleGraph,
  spec: CycleSpec,
  members: ArrayLike<number>,
  component: Int32Array,
  options: SearchOptions = {},
): Found {
  const search = new Search(graph, spec, members, component, options);
  for (let m = 0; m < members.length && !search.settled; m++) {
    if (members[m] >= graph.realCount) continue;
    if (search.budget <= 0) {
      search.exhausted = true;
      break;
    }
    search.breadthFirst(members[m]);
    if (search.repeatsNode) search.depthFirst(members[m]);
  }
  return { cycle: search.best, exhausted: search.exhausted };
}

class Search {
  best: readonly number[] | undefined;
  budget: number;
  exhausted = false;
  /** The last breadth-first search met a closed walk that passes a node twice. */
  repeatsNode = false;
  private bestLength = Infinity;
  private depthFirstBudget = DEPTH_FIRST_BUDGET;
  private readonly automaton: CycleAutomaton;
  private readonly realCount: number;
  private readonly starts: Uint32Array;
  private readonly targets: Uint32Array;
  private readonly rels: Uint16Array;
  private readonly members: ArrayLike<number>;
  private readonly component: Int32Array;
  private readonly home: number;
  private readonly allowed: number;
  private readonly first: number;
  private readonly firstEdges: Uint8Array | undefined;
  /**
   * These columns are indexed by place: (number among the members) * states + state. They hold the round that entered
   * the place and the edge that led there.
   */
  private readonly stamp: Int32Array;
  private readonly via: Int32Array;
  /** The place before, or -1 at the first edge. */
  private readonly parent: Int32Array;
  /** The last walk that passed each node, by its number among the members. */
  private readonly passed: Int32Array;
  private walks = 0;
  private round = 0;
  /** The places of the current length, and of the next. */
  private level: Int32Array;
  private next: Int32Array;
  private levelSize = 0;
  private nextSize = 0;

  constructor(graph: CycleGraph, spec: CycleSpec, members: ArrayLike<number>, component: Int32Array, options: SearchOptions) {
    this.automaton = new CycleAutomaton(spec);
    this.realCount = graph.realCount;
    this.starts = graph.starts;
    this.targets = graph.targets;
    this.rels = graph.rels;
    this.members = members;
    this.component = component;
    this.home = component[members[0]];
    this.allowed = spec.allowed;
    this.first = spec.first;
    this.firstEdges = options.firstEdges;
    this.budget = options.budget ?? 5_000_000;
    const places = members.length * this.automaton.states;
    this.stamp = new Int32Array(places);
    this.via = new Int32Array(places);
    this.parent = new Int32Array(places);
    this.passed = new Int32Array(members.length);
    this.level = new Int32Array(places);
    this.next = new Int32Array(places);
  }

  /** True if no shorter cycle of the spec can exist. */
  get settled(): boolean {
    return this.bestLength <= this.automaton.shortest;
  }

  /** Searches for the shortest closed walk from s, and takes it if it is a cycle and shorter than the best one. */
  breadthFirst(s: number): void {
    const { starts, rels, automaton } = this;
    this.round++;
    this.levelSize = this.nextSize = 0;
    this.repeatsNode = false;
    for (let e = starts[s]; e < starts[s + 1]; e++) if (this.begins(e)) this.enter(e, automaton.begin(rels[e]), -1);
    // `level` may already hold chain nodes, which cost 0. `next` holds the nodes of cost 1. `length` counts
    // transactions, s included.
    for (let length = 1; this.levelSize + this.nextSize > 0 && length < this.bestLength; length++) {
      if (this.closes(s, length)) return;
      const swap = this.level;
      this.level = this.next;
      this.next = swap;
      this.levelSize = this.nextSize;
      this.nextSize = 0;
    }
  }

  /** Follows the edges of one level. Returns true when one came back to s and made the best cycle, of this length. */
  private closes(s: number, length: number): boolean {
    const { starts, targets, rels, members, automaton, level } = this;
    const { states } = automaton;
    for (let i = 0; i < this.levelSize; i++) {
      const place = level[i];
      const state = place % states;
      const v = members[(place - state) / states];
      for (let e = starts[v]; e < starts[v + 1]; e++) {
        this.budget--;
        if (!this.usable(e)) continue;
        const then = automaton.after(state, rels[e]);
        if (then < 0) continue;
        if (targets[e] !== s) this.enter(e, then, place);
        else if (automaton.accepts(then, rels[e]) && this.take(place, e, length)) return true;
      }
    }
    return false;
  }

  private enter(e: number, state: number, from: number): void {
    const w = this.targets[e];
    const place = this.numberOf(w) * this.automaton.states + state;
    if (this.stamp[place] === this.round) return;
    this.stamp[place] = this.round;
    this.via[place] = e;
    this.parent[place] = from;
    if (w < this.realCount) this.next[this.nextSize++] = place;
    else this.level[this.levelSize++] = place;
  }

  /**
   * Makes the walk that ends with edge `last` out of `place` the best cycle. Returns false if the walk passes a node
   * twice.
   */
  private take(place: number, last: number, length: number): boolean {
    const { members, parent, passed, via, automaton } = this;
    const walk = ++this.walks;
    const edges = [last];
    for (let p = place; p >= 0; p = parent[p]) {
      const v = (p - (p % automaton.states)) / automaton.states;
      if (members[v] < this.realCount) {
        if (passed[v] === walk) {
          this.repeatsNode = true;
          return false;
        }
        passed[v] = walk;
      }
      edges.push(via[p]);
    }
    this.best = edges.reverse();
    this.bestLength = length;
    return true;
  }

  /**
   * Searches simple paths from s that are shorter than the best cycle. It runs only where the breadth-first walk was no
   * cycle.
   */
  depthFirst(s: number): void {
    const { starts, targets, rels, automaton } = this;
    const path = new SimplePath(s, starts, this.realCount);
    while (path.depth >= 0) {
      const { depth } = path;
      const e = path.nextEdge();
      if (e < 0 || this.depthFirstBudget <= 0) {
        if (this.depthFirstBudget <= 0) this.exhausted = true;
        path.pop();
        continue;
      }
      this.depthFirstBudget--;
      if (depth === 0 ? !this.begins(e) : !this.usable(e)) continue;
      const then = depth === 0 ? automaton.begin(rels[e]) : automaton.after(path.state, rels[e]);
      if (then < 0) continue;
      const w = targets[e];
      if (w !== s) {
        if (w >= this.realCount || (!path.has(w) && path.length + 1 < this.bestLength)) path.push(e, w, then);
      } else if (depth > 0 && automaton.accepts(then, rels[e]) && path.length < this.bestLength) {
        this.best = [...path.edges, e];
        this.bestLength = path.length;
      }
    }
  }

  private usable(e: number): boolean {
    return (this.rels[e] & this.allowed) !== 0 && this.component[this.targets[e]] === this.home;
  }

  private begins(e: number): boolean {
    return (this.rels[e] & this.first) !== 0 && this.usable(e) && (this.firstEdges === undefined || this.firstEdges[e] !== 0);
  }

  /**
   * Finds a node's number among the members, which are ascending. A binary search keeps the cost of a small component
   * low.
   */
  private numberOf(v: number): number {
    const { members } = this;
    let low = 0;
    let high = members.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (members[middle] < v) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
