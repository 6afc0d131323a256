/**
 * Returns a place for each node, which settles ties of an order. It changes how soon an answer is found, never the
 * answer. It is the order of the file. If values repeat and times are known, it is the order in which the transactions
 * happened. A read that several writes explain forces almost no order, and that order explains it. A transaction
 * happens at its end, snapshots and transactions that write nothing at their begin. O(transactions), with times a sort.
 */
import { OP } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import type { Links } from '../mini/link.ts';
import type { Problem } from './problem.ts';

type Nodes = Pick<Problem, 'begin' | 'commit' | 'chainNodes'>;

/**
 * `placeOf` maps a transaction of the history to its number in the problem, below 0 if it is absent. Without it, all
 * are in the problem's order.
 */
export function hints({ history, unclear }: Links, placeOf: ((t: number) => number) | undefined, nodes: Nodes): Int32Array {
  if (placeOf !== undefined && unclear.length > 0 && history.beginAt !== undefined && history.endAt !== undefined)
    return byTimes(history, history.beginAt, history.endAt, placeOf, nodes);
  const { begin, commit, chainNodes } = nodes;
  const hint = new Int32Array(chainNodes);
  let next = 0;
  const give = (t: number): void => {
    if (t < 0) return;
    hint[begin[t]] = next++;
    if (commit[t] !== begin[t]) hint[commit[t]] = next++;
  };
  if (history.fileOrder === undefined || placeOf === undefined) for (let t = 0; t < begin.length; t++) give(t);
  else for (let i = 0; i < history.txnCount; i++) give(placeOf(history.fileOrder[i]));
  return hint;
}

function byTimes(
  { txnCount, opStart, opEnd, kind }: KvHistory,
  beginAt: Float64Array,
  endAt: Float64Array,
  placeOf: (t: number) => number,
  { begin, commit, chainNodes }: Nodes,
): Int32Array {
  const at = new Float64Array(chainNodes);
  for (let t = 0; t < txnCount; t++) {
    const place = placeOf(t);
    if (place < 0) continue;
    let writes = false;
    for (let op = opStart[t]; op < opEnd[t]; op++) if (kind[op] === OP.write) writes = true;
    const [early, late] = [known(beginAt[t]), known(endAt[t])];
    at[commit[place]] = writes ? late : early;
    if (begin[place] === commit[place]) continue;
    [at[begin[place]], at[commit[place]]] = [early, late];
  }
  const hint = new Int32Array(chainNodes);
  const order = Uint32Array.from(hint, (_, node) => node).sort((a, b) => at[a] - at[b] || a - b);
  for (let i = 0; i < chainNodes; i++) hint[order[i]] = i;
  return hint;
}

/** A transaction without a time goes behind all others. It gets a number, so that the order is total. */
function known(time: number): number {
  return Number.isNaN(time) ? Number.MAX_VALUE : time;
}
