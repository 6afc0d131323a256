/**
 * Decides which transactions a window must keep: the latest, and all that a dependency leads to from one that is kept
 * (session order, write-read, read-write; a write-write edge runs beside a write-read edge, since writes follow reads).
 * No edge then leads from the kept transactions into the forgotten ones, and no cycle has a part in both. An edge from
 * a later transaction into the forgotten ones could only come from a read of a version that is overwritten there, which
 * is detected when it comes.
 *
 * It makes passes over the transactions in the order of the file until nothing changes. A pass takes O(operations). One
 * or two are enough if that order is close to the execution.
 */
import type { Links } from '../mini/link.ts';

/** One entry per transaction in the order of the file: 1 = kept. The `latest` last ones are. */
export function keptTransactions(links: Links, latest: number): Uint8Array {
  const { history, external, overwrites, final, opTxn } = links;
  const { txnCount, opStart, opEnd, kind, fileOrder } = history;
  const at = (i: number): number => (fileOrder === undefined ? i : fileOrder[i]);
  const held = new Uint8Array(txnCount);
  /** 1 for each version that a kept transaction has read. */
  const read = new Uint8Array(history.opCount);
  const first = firstOfSession(links);
  const hold = (t: number): void => {
    held[t] = 1;
    for (let op = opStart[t]; op < opEnd[t]; op++) if (external[op] >= 0) read[external[op]] = 1;
  };
  for (let i = Math.max(0, txnCount - latest); i < txnCount; i++) hold(at(i));
  const reached = (t: number): boolean => {
    if (first[t] === 0 && held[t - 1] === 1) return true;
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      const v = external[op];
      if (v >= 0 && kind[v] === 1 && held[opTxn[v]] === 1) return true;
      if (final[op] === 1 && overwrites[op] >= 0 && read[overwrites[op]] === 1) return true;
    }
    return false;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (let i = 0; i < txnCount - latest; i++) {
      const t = at(i);
      if (held[t] === 1 || !reached(t)) continue;
      hold(t);
      changed = true;
    }
  }
  const listed = new Uint8Array(txnCount);
  for (let i = 0; i < txnCount; i++) listed[i] = held[at(i)];
  return listed;
}

function firstOfSession({ history }: Links): Uint8Array {
  const first = new Uint8Array(history.txnCount + 1);
  for (let s = 0; s < history.sessionCount; s++) first[history.sessionStart[s]] = 1;
  return first;
}
