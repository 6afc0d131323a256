/**
 * What the three levels share: the history with keys numbered from 0, and for every read of a committed transaction
 * the transaction that it read from. `from` is a column beside the operations:
 *   write: 1 if it is the transaction's last write of its key, 0 if not;
 *   read:  the writer's index (another committed transaction, its last write of the key) or one of the codes below.
 */
import type { KvHistory } from '../../core/index.ts';

/** The read returned the initial version. */
export const INITIAL = -1;
/** The read violates an axiom of Read Consistency; bad-reads.ts says which. It takes no further part. */
export const BAD = -2;
/** The read returned its own transaction's latest write, or its transaction is not committed. */
export const INTERNAL = -3;
/** Several committed transactions wrote this value: nobody can say which one was read. */
export const AMBIGUOUS = -4;
/** Not looked up yet. */
export const OPEN = -5;

export interface AwditState {
  readonly history: KvHistory;
  /** Key number per operation, below keyCount. */
  readonly key: Int32Array;
  readonly keyCount: number;
  readonly from: Int32Array;
  /** 32-bit Bloom signature of the keys that a transaction writes: bit signatureBit(key) is set. */
  readonly signature: Int32Array;
  /** 1: the transaction counts as committed (unknown ones do once a committed one read from them). */
  readonly live: Uint8Array;
  /** The transactions in order of the file, and each one's place in it. */
  readonly order: Uint32Array;
  readonly rank: Uint32Array;
  /** Transactions of more than SMALL operations, with their written keys as a table. */
  readonly large: LargeWriters | undefined;
  readonly badReads: number;
  readonly ambiguousReads: number;
  /** Reads from a transaction that is later in the file: if 0, the order of the file is a topological order of so and wr. */
  readonly backwardReads: number;
}

/** Transactions up to this size are scanned, larger ones are looked up. */
export const SMALL = 64;

/** The distinct keys that each large transaction writes: a list and an open-addressing table of key + 1. */
export interface LargeWriters {
  /** Place among the large ones, plus 1; 0 for a small transaction. */
  readonly place: Uint32Array;
  readonly listStart: Uint32Array;
  readonly list: Int32Array;
  readonly tableStart: Uint32Array;
  readonly table: Int32Array;
}

export function signatureBit(key: number): number {
  return 1 << (Math.imul(key, -1640531535) >>> 27);
}

/** Does transaction t write this key? O(1) expected for large ones, O(SMALL) for the others. */
export function writesKey(state: AwditState, t: number, key: number): boolean {
  const { large, history } = state;
  const place = large === undefined ? 0 : large.place[t];
  if (large !== undefined && place !== 0) {
    const start = large.tableStart[place - 1];
    const mask = large.tableStart[place] - start - 1;
    for (let slot = largeSlot(key) & mask; ; slot = (slot + 1) & mask) {
      const found = large.table[start + slot];
      if (found === 0) return false;
      if (found === key + 1) return true;
    }
  }
  const { kind } = history;
  for (let op = history.opStart[t], end = history.opEnd[t]; op < end; op++) if (state.key[op] === key && kind[op] === 1) return true;
  return false;
}

export function largeSlot(key: number): number {
  return Math.imul(key, -1640531535) >>> 11;
}
