/**
 * Records the facts of transactions that are being forgotten in the frontier: their keys, tips, and values that are
 * gone. O(operations).
 */
import { OP } from '../../core/index-kv.ts';
import type { Links } from '../mini/link.ts';
import type { Frontier } from './frontier.ts';

/**
 * `going` has one entry per transaction, 1 = forgotten. If two transactions overwrote one version, `order` holds all
 * transactions in an order of commits. The last version in it is the tip.
 */
export function noteForgotten(links: Links, going: Uint8Array, order: Uint32Array | undefined, frontier: Frontier): void {
  const { history, final, overwrites, live } = links;
  const { txnCount, opStart, opEnd, kind, keyLow, keyHigh, valueLow, valueHigh } = history;
  const overwritten = new Uint8Array(history.opCount);
  for (let t = 0; t < txnCount; t++) {
    if (going[t] === 0) continue;
    for (let op = opStart[t]; op < opEnd[t]; op++) if (final[op] === 1 && overwrites[op] >= 0) overwritten[overwrites[op]] = 1;
  }
  for (let i = 0; i < txnCount; i++) {
    const t = order === undefined ? i : order[i];
    if (going[t] === 0) continue;
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      const write = kind[op] === OP.write;
      if (!write && live[t] === 0) continue; // a read of an aborted transaction demands nothing
      const key = frontier.touch(keyLow[op], keyHigh === undefined ? keyLow[op] >> 31 : keyHigh[op]);
      if (!write) continue;
      const low = valueLow[op];
      const high = valueHigh === undefined ? low >> 31 : valueHigh[op];
      if (final[op] === 1 && overwritten[op] === 0) frontier.setTip(key, low, high);
      else frontier.setGone(key, low, high);
    }
  }
}
