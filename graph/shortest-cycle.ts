/**
 * The shortest simple cycle under an automaton over edge kinds: breadth first over (node, state), from every node of a
 * component that has a fitting first edge. A node beyond `realCount` (a step of the real-time chain) costs nothing, so
 * the length is the number of transactions; such nodes are entered at the level of the node before them (0-1 search).
 *
 * A shortest closed walk can pass a node twice (in different states) and then is no cycle; where that happens a
 * depth-first search over simple paths decides, within its own budget. One component of n nodes and m edges costs
 * O(n m) in the worst case, and stops at `budget` edge visits with the best cycle so far.
 */
export type Antis =
  /** No anti edge at all. */
  | 'none'
  /** Exactly one. */
  | 'one'
  /** At least two, no two cyclically adjacent. */
  | 'apart'
  /** Two of them cyclically adjacent somewhere. */
  | 'together';

export interface CycleSpec {
  /** Kinds that may occur. */
  readonly allowed: number;
  /** Kinds that count as anti edges. */
  readonly anti: number;
  readonly antis: Antis;
  /** Kinds the cycle may be taken to begin with: for `none` any required kind, otherwise anti kinds. */
  readonly first: number;
  /** At least one edge of each of these masks. */
  readonly some: readonly number[];
}

export interface CycleGraph {
  readonly nodeCount: number;
  /** Nodes from here on cost nothing. */
  readonly realCount: number;
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly rels: Uint16Array;
}

export interface Found {
  /** Edges (places in the CSR) in order; undefined: none. */
  readonly cycle: readonly number[] | undefined;
  /** The budget ended the search: a shorter cycle, or one at all, may exist. */
  readonly exhausted: boolean;
}

export interface SearchOptions {
  /** Edge visits. */
  readonly budget?: number;
  /** Only these edges (1) may be the first. */
  readonly firstEdges?: Uint8Array;
}

const LAST = 1; // the last edge was anti
const TWO = 2; // a second anti edge was seen
const FLAGS = 2; // `some` flags begin at this bit
const DEPTH_FIRST_BUDGET = 50_000;

/** Searches the component whose nodes are `members`; `component` tells which nodes those are. */
export function shortestCycle(
  graph: CycleGraph,
  spec: CycleSpec,
  members: ArrayLike<number>,
  component: Int32Array,
  options: SearchOptions = {},
): Found {
  const { starts, targets, rels, realCount } = graph;
  const { allowed, anti, antis, first } = spec;
  const home = component[members[0]];
  const states = 1 << (FLAGS + spec.some.length);
  const complete = ((1 << spec.some.length) - 1) << FLAGS;
  const shortest = shortestPossible(spec);
  const size = members.length;
  const local = localNumbers(members);
  const stamp = new Int32Array(size * states);
  const via = new Int32Array(size * states); // edge that led here
  const parent = new Int32Array(size * states); // place before, -1 at the first edge
  const seen = new Int32Array(size); // for the test that a walk is simple
  let round = 0;
  let walks = 0;
  let level = new Int32Array(size * states);
  let next = new Int32Array(size * states);
  let levelSize = 0;
  let nextSize = 0;
  let best: number[] | undefined;
  let bestLength = Infinity;
  let budget = options.budget ?? 5_000_000;
  let depthFirstBudget = DEPTH_FIRST_BUDGET;
  let exhausted = false;

  /** State after edge kind `rel`, or -1. */
  const after = (state: number, rel: number): number => {
    let then = state & ~LAST;
    for (let i = 0; i < spec.some.length; i++) if ((rel & spec.some[i]) !== 0) then |= 1 << (FLAGS + i);
    if ((rel & anti) === 0) return then;
    if (antis === 'none' || antis === 'one') return -1;
    if (antis === 'together') return then;
    return (state & LAST) !== 0 ? -1 : then | LAST | TWO;
  };
  const begin = (rel: number): number => {
    let then = antis === 'apart' ? LAST : 0;
    for (let i = 0; i < spec.some.length; i++) if ((rel & spec.some[i]) !== 0) then |= 1 << (FLAGS + i);
    return then;
  };
  /** The last edge, of kind `rel`, came back to the start in `state`. */
  const accepts = (state: number, rel: number): boolean => {
    if ((state & complete) !== complete) return false;
    if (antis === 'apart') return (state & TWO) !== 0 && (rel & anti) === 0;
    return antis !== 'together' || (rel & anti) !== 0;
  };
  const usable = (e: number): boolean => (rels[e] & allowed) !== 0 && component[targets[e]] === home;
  const begins = (e: number): boolean =>
    (rels[e] & first) !== 0 && usable(e) && (options.firstEdges === undefined || options.firstEdges[e] !== 0);

  const enter = (e: number, state: number, from: number): void => {
    const w = targets[e];
    const place = local.get(w) * states + state;
    if (stamp[place] === round) return;
    stamp[place] = round;
    via[place] = e;
    parent[place] = from;
    if (w < realCount) next[nextSize++] = place;
    else level[levelSize++] = place;
  };
  /** The walk that ends with edge `last` out of `place`, if it visits no node twice. */
  const simpleWalk = (place: number, last: number): number[] | undefined => {
    walks++;
    const edges = [last];
    for (let p = place; p >= 0; p = parent[p]) {
      const v = (p - (p % states)) / states;
      if (members[v] < realCount) {
        if (seen[v] === walks) return undefined;
        seen[v] = walks;
      }
      edges.push(via[p]);
    }
    return edges.reverse();
  };

  for (let m = 0; m < size && bestLength > shortest; m++) {
    const s = members[m];
    if (s >= realCount) continue;
    if (budget <= 0) {
      exhausted = true;
      break;
    }
    round++;
    levelSize = nextSize = 0;
    let tangled = false;
    for (let e = starts[s]; e < starts[s + 1]; e++) if (begins(e)) enter(e, begin(rels[e]), -1);
    // `level` may already hold chain nodes (cost 0), `next` the nodes of cost 1
    let length = 0; // transactions entered so far, s not counted
    search: while (levelSize + nextSize > 0 && length + 1 < bestLength) {
      for (let i = 0; i < levelSize; i++) {
        const place = level[i];
        const state = place % states;
        const v = members[(place - state) / states];
        for (let e = starts[v]; e < starts[v + 1]; e++) {
          budget--;
          if (!usable(e)) continue;
          const then = after(state, rels[e]);
          if (then < 0) continue;
          if (targets[e] !== s) {
            enter(e, then, place);
            continue;
          }
          if (!accepts(then, rels[e])) continue;
          const cycle = simpleWalk(place, e);
          if (cycle === undefined) {
            tangled = true;
            continue;
          }
          best = cycle;
          bestLength = length + 1;
          break search;
        }
      }
      const swap = level;
      level = next;
      next = swap;
      levelSize = nextSize;
      nextSize = 0;
      length++;
    }
    if (tangled) {
      const found = simpleFrom(s);
      if (found !== undefined) best = found;
    }
  }
  return { cycle: best, exhausted };

  /** Depth first over simple paths from s, shorter than the best; only where the breadth first walk was no cycle. */
  function simpleFrom(s: number): number[] | undefined {
    let found: number[] | undefined;
    const onPath = new Set<number>();
    const edges: number[] = [];
    const stateAt: number[] = [0];
    const nodeAt: number[] = [s];
    const cursor: number[] = [starts[s]];
    let length = 1;
    while (nodeAt.length > 0) {
      const depth = nodeAt.length - 1;
      const v = nodeAt[depth];
      const e = cursor[depth];
      if (e >= starts[v + 1] || depthFirstBudget <= 0) {
        if (depthFirstBudget <= 0) exhausted = true;
        nodeAt.pop();
        stateAt.pop();
        cursor.pop();
        edges.pop();
        if (depth > 0 && v < realCount) {
          onPath.delete(v);
          length--;
        }
        continue;
      }
      cursor[depth] = e + 1;
      depthFirstBudget--;
      if (depth === 0 ? !begins(e) : !usable(e)) continue;
      const then = depth === 0 ? begin(rels[e]) : after(stateAt[depth], rels[e]);
      if (then < 0) continue;
      const w = targets[e];
      if (w === s) {
        if (depth === 0 || !accepts(then, rels[e]) || length >= bestLength) continue;
        found = [...edges, e];
        bestLength = length;
        continue;
      }
      if (w < realCount && (onPath.has(w) || length + 1 >= bestLength)) continue;
      if (w < realCount) {
        onPath.add(w);
        length++;
      }
      nodeAt.push(w);
      stateAt.push(then);
      cursor.push(starts[w]);
      edges.push(e);
    }
    return found;
  }
}

/** No cycle of the spec has fewer transactions: when one of this length is found the search is over. */
function shortestPossible(spec: CycleSpec): number {
  const base = { none: 0, one: 1, apart: 4, together: 2 }[spec.antis];
  const others = spec.some.filter((mask) => (mask & spec.anti) === 0).length;
  return Math.max(2, spec.antis === 'apart' ? 4 : base + others);
}

/** Node -> its number among `members` (ascending): binary search, so that a small component costs little. */
function localNumbers(members: ArrayLike<number>): { get(v: number): number } {
  const size = members.length;
  return {
    get(v: number): number {
      let low = 0;
      let high = size - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (members[middle] < v) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
