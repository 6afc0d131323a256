/**
 * Runs the transactions in an order of nodes and asks of every read whether its version is in force, and of every two
 * writers of a key whether one had committed when the other began. A kernel: one loop over all operations. Nothing broken is a proof that the level holds, and
 * it does not rest on anything that the solver concluded. What is broken names pairs of writers to decide about. O(operations).
 */
import type { Problem } from './problem.ts';

export interface Broken {
  /** Pairs of versions of a key, the first of which the order puts first: one stands between the other and its reader, or both overlap. */
  readonly first: number[];
  readonly second: number[];
  /** Choices that have no version in force at their read. */
  readonly choices: number[];
  /** All that is broken, whether or not it is listed above. */
  count: number;
}

/** `chosen`: per choice the version that it is taken to read, -1 where any will do. */
export function replay(problem: Problem, order: ArrayLike<number>, chosen: Int32Array, most: number): Broken {
  const { nodeTxn, begin, commit, writeStart, writeKey, readStart, readVersion, versions, keyCount, choices, size } = problem;
  const current = new Int32Array(keyCount);
  for (let k = 0; k < keyCount; k++) current[k] = versions + k;
  const open = problem.chainNodes === size ? undefined : new Int32Array(keyCount).fill(-1);
  const broken: Broken = { first: [], second: [], choices: [], count: 0 };
  const pair = (first: number, second: number): void => {
    if (broken.count++ >= most) return;
    broken.first.push(first);
    broken.second.push(second);
  };
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    const t = nodeTxn[node];
    if (t < 0) continue;
    if (node === begin[t]) {
      for (let i = readStart[t]; i < readStart[t + 1]; i++) {
        const v = readVersion[i] < 0 ? chosen[-1 - readVersion[i]] : readVersion[i];
        if (v >= 0) {
          const now = current[v < versions ? writeKey[v] : v - versions];
          if (now !== v) pair(v, now);
        } else {
          const c = -1 - readVersion[i];
          const { versions: either } = choices[c];
          if (!either.includes(current[writeKey[either[0]]])) {
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
  return broken;
}
