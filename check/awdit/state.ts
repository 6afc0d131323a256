/**
 * The state that the three levels share. Keys are numbered from 0 and transactions in the order of the file. If a read
 * there comes before its write, they are numbered in a topological order of session order and write-read instead.
 * "Before" then compares two integers, and the columns are walked from left to right. `from` stands beside the
 * operations:
 *
 *   write: 1 if it is the transaction's last write of its key, 0 if not;
 *   read:  the writer's number (another committed transaction, its last write of the key) or one of the codes below.
 *
 * Numbers of this kind are called v here. order[v] is the history's own index.
 */
import type { KvHistory } from '../../core/index.ts';

/** The read returned the initial version. */
export const INITIAL = -1;
/** The read violates an axiom of Read Consistency, and bad-reads.ts says which. It takes no further part. */
export const BAD = -2;
/** The read returned its own transaction's latest write, or its transaction is not committed. */
export const INTERNAL = -3;
/** Several committed transactions wrote this value, so it is not known which one was read. */
export const AMBIGUOUS = -4;
/** The read is not looked up yet. */
export const OPEN = -5;

export interface AwditState {
  readonly history: KvHistory;
  /** The key number of each operation, below keyCount. */
  readonly key: Int32Array;
  readonly keyCount: number;
  readonly from: Int32Array;
  readonly txnCount: number;
  /**
   * For each v, the place of its operations, its session, and 1 if it counts as committed. An unknown transaction does
   * once it was read.
   */
  readonly opStart: Uint32Array;
  readonly opEnd: Uint32Array;
  readonly session: Uint32Array;
  readonly live: Uint8Array;
  /** For each v, two 32-bit Bloom words of the keys that it writes: 2 v with signatureBit, 2 v + 1 with secondBit. */
  readonly signature: Int32Array;
  /** Maps v to the index in the history, and back. */
  readonly order: Uint32Array;
  readonly rank: Uint32Array;
  /** The transactions of more than SMALL operations, with their written keys as a table. */
  readonly large: LargeWriters | undefined;
  /** The number of all writes, an upper bound of the last ones. */
  readonly writeCount: number;
  /** Memory that was needed before and may be used again. */
  readonly scratch: ArrayBufferLike | undefined;
  readonly badReads: number;
  readonly ambiguousReads: number;
  /** False means that session order and write-read are cyclic, and v is only the order of the file. */
  readonly forward: boolean;
}

/** Transactions up to this size are scanned. Larger ones use a table. */
export const SMALL = 64;

/** The distinct keys that each large transaction writes, as a list and an open-addressing table of key + 1. */
export interface LargeWriters {
  /** The place among the large transactions, plus 1. It is 0 for a small one. */
  readonly place: Uint32Array;
  readonly listStart: Uint32Array;
  readonly list: Int32Array;
  readonly tableStart: Uint32Array;
  readonly table: Int32Array;
}

export function signatureBit(key: number): number {
  return 1 << (Math.imul(key, -1640531535) >>> 27);
}

export function secondBit(key: number): number {
  return 1 << (Math.imul(key ^ 0x5bd1, 668265263) >>> 27);
}

/** Tells whether transaction v writes this key. O(1) expected for large ones, O(SMALL) for the others. */
export function writesKey(state: AwditState, v: number, key: number): boolean {
  const { large } = state;
  const place = large === undefined ? 0 : large.place[v];
  if (large !== undefined && place !== 0) {
    const start = large.tableStart[place - 1];
    const mask = large.tableStart[place] - start - 1;
    for (let slot = largeSlot(key) & mask; ; slot = (slot + 1) & mask) {
      const found = large.table[start + slot];
      if (found === 0) return false;
      if (found === key + 1) return true;
    }
  }
  const { kind } = state.history;
  for (let op = state.opStart[v], end = state.opEnd[v]; op < end; op++) if (state.key[op] === key && kind[op] === 1) return true;
  return false;
}

export function largeSlot(key: number): number {
  return Math.imul(key, -1640531535) >>> 11;
}
