/**
 * Draws session order and real-time order. so joins each committed transaction to the next of its session. A
 * transaction behind a COMMIT that was never acknowledged is not known to come after it. rt would take n^2 edges. A
 * chain with one node per acknowledged commit, in order of time, carries it in O(n): T -> its node -> later nodes ->
 * every transaction that began after them.
 */
import { NONE, REL, TXN_STATUS } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import type { EdgeColumns } from './edges.ts';

/** Adds the edges. Returns the number of chain nodes, which are numbered from the transaction count on. */
export function addTransactionOrder(history: History, committed: (txn: number) => boolean, edges: EdgeColumns): number {
  const { transactions: txns } = history;
  const taking: number[] = [];
  for (let t = 1; t < txns.count; t++) if (txns.present[t] === 1 && committed(t) && !Number.isNaN(txns.beginAt[t])) taking.push(t);

  const bySession = [...taking].sort((a, b) => txns.session[a] - txns.session[b] || txns.beginAt[a] - txns.beginAt[b] || a - b);
  let before = NONE;
  for (const t of bySession) {
    if (before !== NONE && txns.session[before] !== txns.session[t]) before = NONE;
    if (before !== NONE) edges.addOrder(before, t, REL.so);
    if (txns.status[t] === TXN_STATUS.committed) before = t;
  }

  const ends = taking.filter((t) => !Number.isNaN(txns.endAt[t])).sort((a, b) => txns.endAt[a] - txns.endAt[b] || a - b);
  const begins = [...taking].sort((a, b) => txns.beginAt[a] - txns.beginAt[b] || a - b);
  let chain = 0;
  let ended = 0;
  for (const t of begins) {
    const began = txns.beginAt[t];
    for (; ended < ends.length && txns.endAt[ends[ended]] < began; ended++, chain++) {
      const node = txns.count + chain;
      edges.addOrder(ends[ended], node, REL.rt);
      if (chain > 0) edges.addOrder(node - 1, node, REL.rt);
    }
    if (chain > 0) edges.addOrder(txns.count + chain - 1, t, REL.rt);
  }
  return chain;
}
