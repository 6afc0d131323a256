/**
 * Evaluates a transaction's own operations without looking at any other. It finds the writes that are the last of their
 * key. It also finds the reads that return the transaction's own latest write, and those that contradict it (axioms d
 * and e of Read Consistency). Transactions of up to SMALL operations compare pairwise behind a Bloom signature, larger
 * ones use a sparse set.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { BAD, INTERNAL, OPEN, SMALL, secondBit, signatureBit } from './state.ts';

export interface OwnColumns {
  readonly history: KvHistory;
  readonly key: Int32Array;
  readonly keyCount: number;
  readonly from: Int32Array;
  /** These columns are indexed by place in the order. */
  readonly signature: Int32Array;
  readonly opStart: Uint32Array;
  readonly opEnd: Uint32Array;
  readonly live: Uint8Array;
  /** For each key, the place where a large transaction last wrote it, plus 1. Every thread has its own. */
  lastWrite?: Int32Array;
}

/** Marks the transactions order[first .. end), and fills the columns by place in the order. */
export function markOwnOperations(columns: OwnColumns, order: Uint32Array, first: number, end: number): void {
  const { history, key, from, signature } = columns;
  const { kind, valueLow, valueHigh, opStart, opEnd, status } = history;
  for (let i = first; i < end; i++) {
    const t = order[i];
    const start = opStart[t];
    const stop = opEnd[t];
    const aborted = status[t] === TXN_STATUS.aborted;
    columns.opStart[i] = start;
    columns.opEnd[i] = stop;
    columns.live[i] = status[t] === TXN_STATUS.committed ? 1 : 0;
    if (stop - start > SMALL) {
      columns.lastWrite ??= new Int32Array(columns.keyCount);
      markLarge(columns, columns.lastWrite, i, start, stop, aborted);
      continue;
    }
    let written = 0;
    let second = 0;
    for (let op = start; op < stop; op++) {
      const k = key[op];
      const bit = signatureBit(k);
      const before = (written & bit) === 0 ? -1 : ownWriteBefore(key, kind, start, op);
      if (kind[op] === OP.write) {
        from[op] = 1;
        if (before >= 0) from[before] = 0;
        written |= bit;
        second |= secondBit(k);
      } else if (aborted) from[op] = INTERNAL;
      else if (before < 0) from[op] = OPEN;
      else
        from[op] =
          kind[op] === OP.read && valueLow[before] === valueLow[op] && (valueHigh === undefined || valueHigh[before] === valueHigh[op])
            ? INTERNAL
            : BAD;
    }
    signature[2 * i] = written;
    signature[2 * i + 1] = second;
  }
}

/** Returns the last write of the key of `op` before it, from `start` on, or -1. */
function ownWriteBefore(key: Int32Array, kind: Uint8Array, start: number, op: number): number {
  const k = key[op];
  let before = op - 1;
  while (before >= start && (key[before] !== k || kind[before] !== OP.write)) before--;
  return before >= start ? before : -1;
}

/**
 * `lastWrite[key]` is this transaction's last write of a key if it lies within the transaction. Stale entries of other
 * transactions do not.
 */
function markLarge(columns: OwnColumns, lastWrite: Int32Array, v: number, start: number, stop: number, aborted: boolean): void {
  const { key, from, signature } = columns;
  const { kind, valueLow, valueHigh } = columns.history;
  for (let op = start; op < stop; op++) {
    const k = key[op];
    const before = lastWrite[k] - 1;
    const own = before >= start && before < op;
    if (kind[op] === OP.write) {
      from[op] = 1;
      if (own) from[before] = 0;
      lastWrite[k] = op + 1;
      signature[2 * v] |= signatureBit(k);
      signature[2 * v + 1] |= secondBit(k);
    } else if (aborted) from[op] = INTERNAL;
    else if (!own) from[op] = OPEN;
    else
      from[op] =
        kind[op] === OP.read && valueLow[before] === valueLow[op] && (valueHigh === undefined || valueHigh[before] === valueHigh[op])
          ? INTERNAL
          : BAD;
  }
}
