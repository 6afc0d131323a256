/**
 * Represents real-time order in O(n log n) time and O(n) space instead of its n^2 edges. The end points are sorted into
 * a chain. Every transaction enters the chain at its own end, and leaves it for every transaction that begins later. A
 * transaction therefore needs only its rank, the number of ends before its begin (docs/CHECKERS.md has the proof).
 */
import type { KvHistory } from '../../core/index.ts';

export interface RealTime {
  /** The transactions with an end, by end. */
  readonly byEnd: Int32Array;
  /** For each transaction, the number of transactions in byEnd that ended strictly before it began. */
  readonly rank: Int32Array;
}

/** Returns undefined if the history has no times. Transactions that are not live have no place in the order. */
export function realTime(history: KvHistory, live: Uint8Array): RealTime | undefined {
  const { beginAt, endAt, txnCount } = history;
  if (beginAt === undefined || endAt === undefined) return undefined;
  const listed: Uint32Array = history.fileOrder ?? Uint32Array.from({ length: txnCount }, (_, t) => t);
  let byEnd: Int32Array = new Int32Array(txnCount);
  const ends = new Float64Array(txnCount);
  let count = 0;
  let sorted = true;
  let last = -Infinity;
  for (let i = 0; i < txnCount; i++) {
    const t = listed[i];
    if (live[t] === 0 || !Number.isFinite(endAt[t])) continue;
    if (endAt[t] < last) sorted = false;
    last = endAt[t];
    ends[count] = last;
    byEnd[count++] = t;
  }
  byEnd = byEnd.subarray(0, count);
  if (!sorted) {
    byEnd = sortByTime(byEnd, endAt);
    for (let i = 0; i < count; i++) ends[i] = endAt[byEnd[i]];
  }
  return { byEnd, rank: ranks(listed, beginAt, ends, count) };
}

/**
 * Tells whether no transaction begins after the end of one that the file lists later. The answer is false if the
 * history has no times.
 */
export function listedInRealTime({ beginAt, endAt, fileOrder, txnCount }: KvHistory, live: Uint8Array): boolean {
  if (beginAt === undefined || endAt === undefined) return false;
  let latest = -Infinity; // the latest begin so far; an unknown time compares as false
  for (let i = 0; i < txnCount; i++) {
    const t = fileOrder === undefined ? i : fileOrder[i];
    if (live[t] === 0) continue;
    if (endAt[t] < latest) return false;
    if (beginAt[t] > latest) latest = beginAt[t];
  }
  return true;
}

/**
 * Returns for each transaction the number of ends before its begin. The search starts at the rank of its neighbour in
 * the file, which is near, and doubles its steps.
 */
function ranks(listed: Uint32Array, beginAt: Float64Array, ends: Float64Array, count: number): Int32Array {
  const rank = new Int32Array(beginAt.length);
  let low = 0;
  for (let i = 0; i < listed.length; i++) {
    const t = listed[i];
    const at = beginAt[t];
    if (Number.isNaN(at)) continue;
    let high = low;
    let step = 1;
    if (low > 0 && ends[low - 1] >= at) {
      while (low > 0 && ends[low - 1] >= at) {
        high = low - 1;
        low = Math.max(0, high - step);
        step *= 2;
      }
    } else {
      while (low + step <= count && ends[low + step - 1] < at) {
        low += step;
        step *= 2;
      }
      high = Math.min(count, low + step);
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle] < at) low = middle + 1;
      else high = middle;
    }
    rank[t] = low;
  }
  return rank;
}

/**
 * A stable radix sort, 16 bits at a time, of items by a time that is a finite double. Digits that are all alike cost
 * one pass.
 */
function sortByTime(items: Int32Array, at: Float64Array): Int32Array {
  const n = items.length;
  const times = new Float64Array(n);
  for (let i = 0; i < n; i++) times[i] = at[items[i]] + 0; // -0 becomes 0
  // Doubles order like integers after their sign is folded: all bits of negatives are flipped, and the sign of the
  // others.
  const words = new Uint16Array(times.buffer);
  for (let i = 0; i < n; i++) {
    if ((words[4 * i + 3] & 0x8000) === 0) {
      words[4 * i + 3] ^= 0x8000;
      continue;
    }
    for (let w = 0; w < 4; w++) words[4 * i + w] ^= 0xffff;
  }
  let order = Uint32Array.from({ length: n }, (_, i) => i);
  let spare = new Uint32Array(n);
  for (let w = 0; w < 4; w++) {
    const starts = new Uint32Array(65537);
    for (let i = 0; i < n; i++) starts[words[4 * i + w] + 1]++;
    if (starts.includes(n, 1)) continue;
    for (let d = 0; d < 65536; d++) starts[d + 1] += starts[d];
    for (let i = 0; i < n; i++) spare[starts[words[4 * order[i] + w]]++] = order[i];
    [order, spare] = [spare, order];
  }
  const sorted = new Int32Array(n);
  for (let i = 0; i < n; i++) sorted[i] = items[order[i]];
  return sorted;
}
