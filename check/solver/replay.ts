/**
 * Runs the transactions in an order of nodes. It tests for every read whether its version is in force, and for every
 * two writers of a key whether one had committed when the other began. A kernel: one loop over all operations. An order
 * that breaks nothing proves that the level holds, and the proof does not rest on anything that the solver derived. A
 * broken order names pairs of writers to decide about. O(operations). Parts of an order show most of the reads that
 * changes in them broke, at the cost of those parts. They prove nothing.
 */
import type { Problem } from './problem.ts';

export interface Broken {
  /**
   * Pairs of versions of a key, of which the order puts the first first. One stands between the other and its reader,
   * or both overlap.
   */
  readonly first: number[];
  readonly second: number[];
  /** The choices that have no version in force at their read. */
  readonly choices: number[];
  /** The number of all broken tests, whether or not they are listed above. */
  count: number;
}

/** The places first .. last of an order. */
export type Span = readonly [first: number, last: number];

/** `chosen` holds for each choice the version that it is taken to read, or -1 if any will do. */
export function replay(problem: Problem, order: ArrayLike<number>, chosen: Int32Array, most: number): Broken {
  const state = stateOf(problem);
  for (let k = 0; k < problem.keyCount; k++) state.current[k] = problem.versions + k;
  const broken: Broken = { first: [], second: [], choices: [], count: 0 };
  run(problem, order, [0, order.length - 1], chosen, most, state, broken);
  return broken;
}

/**
 * Lists what is broken within parts of an order, as `replay` would. Nothing is known about a key before its first write
 * in a part.
 */
export function replayParts(problem: Problem, order: ArrayLike<number>, spans: readonly Span[], chosen: Int32Array, most: number): Broken {
  const { nodeTxn, writeStart, writeKey } = problem;
  const state = stateOf(problem);
  const broken: Broken = { first: [], second: [], choices: [], count: 0 };
  for (const span of spans) {
    run(problem, order, span, chosen, most, state, broken);
    for (let at = span[0]; at <= span[1]; at++) {
      const t = nodeTxn[order[at]];
      if (t < 0) continue;
      for (let v = writeStart[t]; v < writeStart[t + 1]; v++) state.current[writeKey[v]] = -1;
      for (let v = writeStart[t]; v < writeStart[t + 1]; v++) if (state.open !== undefined) state.open[writeKey[v]] = -1;
    }
  }
  return broken;
}

interface State {
  /** The version in force of each key, -1 if it is not known. */
  readonly current: Int32Array;
  /**
   * For each key, the last version whose transaction has begun and not committed. Undefined means that no transaction
   * is two nodes.
   */
  readonly open: Int32Array | undefined;
}

function stateOf({ keyCount, chainNodes, size }: Problem): State {
  return { current: new Int32Array(keyCount).fill(-1), open: chainNodes === size ? undefined : new Int32Array(keyCount).fill(-1) };
}

function run(
  problem: Problem,
  order: ArrayLike<number>,
  [from, to]: Span,
  chosen: Int32Array,
  most: number,
  { current, open }: State,
  broken: Broken,
): void {
  const { nodeTxn, begin, commit, writeStart, writeKey, readStart, readVersion, versions, choices } = problem;
  const pair = (first: number, second: number): void => {
    if (broken.count++ >= most) return;
    broken.first.push(first);
    broken.second.push(second);
  };
  for (let at = from; at <= to; at++) {
    const node = order[at];
    const t = nodeTxn[node];
    if (t < 0) continue;
    if (node === begin[t]) {
      for (let i = readStart[t]; i < readStart[t + 1]; i++) {
        const v = readVersion[i] < 0 ? chosen[-1 - readVersion[i]] : readVersion[i];
        if (v >= 0) {
          const now = current[v < versions ? writeKey[v] : v - versions];
          if (now !== v && now >= 0) pair(v, now);
        } else {
          const c = -1 - readVersion[i];
          const { versions: either } = choices[c];
          const now = current[writeKey[either[0]]];
          if (now >= 0 && !either.includes(now)) {
            if (broken.count++ < most) broken.choices.push(c);
          }
        }
      }
      if (open !== undefined && commit[t] !== node) {
        for (let v = writeStart[t]; v < writeStart[t + 1]; v++) {
          const other = open[writeKey[v]];
          if (other >= 0) pair(other, v);
          open[writeKey[v]] = v;
        }
      }
    }
    if (node === commit[t]) {
      for (let v = writeStart[t]; v < writeStart[t + 1]; v++) {
        const key = writeKey[v];
        current[key] = v;
        if (open === undefined) continue;
        if (open[key] >= 0 && open[key] !== v) pair(open[key], v);
        else open[key] = -1;
      }
    }
  }
}
