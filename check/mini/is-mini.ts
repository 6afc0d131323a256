/**
 * Tells whether this is a mini-transaction history (Definitions 8 and 9 of "Boosting End-to-End Database Isolation
 * Checking via Mini-Transactions", ICDE 2025), and whether its reads fix every version order. The linear algorithms
 * need the second, which asks less: transactions of any size whose writes each follow a read of their key. A key may
 * have one write without a read if no transaction reads the initial version that the write would otherwise compete with
 * (the initial transaction, an insert if not exists).
 */
import { OP, TXN_STATUS, kvKey } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { sameKey } from './key-table.ts';
import type { Links } from './link.ts';

export type MiniAnswer = { readonly mini: true } | { readonly mini: false; readonly reason: string };

/** Tests Definitions 8 and 9 to the letter, without aborted transactions. */
export function isMini(history: KvHistory): MiniAnswer {
  let initial = -1;
  const name = (t: number): string => history.txnName?.(t) ?? String(t);
  const firsts = new Uint8Array(history.txnCount);
  for (let s = 0; s < history.sessionCount; s++)
    if (history.sessionStart[s] < history.sessionStart[s + 1]) firsts[history.sessionStart[s]] = 1;
  for (let t = 0; t < history.txnCount; t++) {
    if (history.status[t] === TXN_STATUS.aborted) continue;
    let reads = 0;
    let writes = 0;
    let blind = -1;
    for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
      if (history.kind[op] !== OP.write) {
        reads++;
        continue;
      }
      writes++;
      if (writes > 2 && reads > 0) break;
      if (reads === 0 || !readsBefore(history, t, op)) blind = op;
    }
    if (reads === 0 && writes > 0 && firsts[t] === 1 && initial < 0) {
      initial = t; // the initial transaction
      continue;
    }
    if (reads > 2) return { mini: false, reason: `transaction ${name(t)} has ${reads} reads, more than 2` };
    if (writes > 2) return { mini: false, reason: `transaction ${name(t)} has more than 2 writes` };
    if (blind >= 0) return { mini: false, reason: `transaction ${name(t)} writes key ${kvKey(history, blind)} without reading it before` };
    if (reads === 0 && history.opEnd[t] > history.opStart[t]) return { mini: false, reason: `transaction ${name(t)} has no read` };
  }
  return { mini: true };
}

/** Returns undefined if the reads fix the order of all versions, otherwise the reason why they do not. */
export function undeterminedOrder(links: Links): string | undefined {
  if (links.blindWrites === 0) return undefined;
  const { history, final, overwrites, external, opTxn } = links;
  const { kind, opCount } = history;
  const blind: number[] = [];
  for (let op = 0; op < opCount; op++) if (final[op] === 1 && overwrites[op] < 0) blind.push(op);
  const roots = new Map<bigint, number>();
  for (const op of blind) {
    if (links.badReads.length > 0 && readsBefore(history, opTxn[op], op)) continue; // its read is bad, which is reported anyway
    const key = kvKey(history, op);
    if (roots.has(key))
      return `key ${key} is written without being read before by transactions ${nameOf(history, opTxn[roots.get(key) ?? 0])} and ${nameOf(history, opTxn[op])}`;
    roots.set(key, op);
  }
  for (let op = 0; op < opCount; op++) {
    const v = external[op];
    if (v < 0 || kind[v] === OP.write) continue;
    const root = roots.get(kvKey(history, op));
    if (root !== undefined)
      return `key ${kvKey(history, op)} is written without being read before by transaction ${nameOf(history, opTxn[root])}, and its initial version is read by transaction ${nameOf(history, opTxn[op])}`;
  }
  return undefined;
}

/** Tells whether the transaction reads the key of `op` before it. */
export function readsBefore(history: KvHistory, txn: number, op: number): boolean {
  for (let i = history.opStart[txn]; i < op; i++) if (history.kind[i] !== OP.write && sameKey(history, i, op)) return true;
  return false;
}

function nameOf(history: KvHistory, txn: number): string {
  return history.txnName?.(txn) ?? String(txn);
}
