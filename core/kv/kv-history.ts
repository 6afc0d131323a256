/**
 * A key-value history in columns: the file formats fill it, and the AWDIT, mini-transaction and search checkers read
 * it. Transactions are numbered session by session in session order, so "same session, earlier" compares two integers.
 * Keys and values are signed 64-bit integers, as two 32-bit halves. The high halves are absent when no value needs
 * them.
 *
 * Walk the operations by transaction (`for op = opStart[t]; op < opEnd[t]`), never from 0 to opCount. The columns may be longer
 * than opCount and have holes between transactions, which a parallel parser leaves.
 */

import type { Level } from '../level/index.ts';
import type { Note } from '../history/index.ts';

/** Column value of `KvHistory.kind`. `readInitial` is a read that returned "nothing there yet" (nil, null). */
export const OP = { read: 0, write: 1, readInitial: 2 } as const;

export interface KvHistory {
  readonly sessionCount: number;
  readonly txnCount: number;
  /** Operations of all transactions. The columns may be longer. */
  readonly opCount: number;
  /** Session s has transactions sessionStart[s] .. sessionStart[s + 1]. */
  readonly sessionStart: Uint32Array;
  /** Transaction t has operations opStart[t] .. opEnd[t], in program order. */
  readonly opStart: Uint32Array;
  readonly opEnd: Uint32Array;
  /** TXN_STATUS per transaction. */
  readonly status: Uint8Array;
  /** OP per operation. */
  readonly kind: Uint8Array;
  readonly keyLow: Int32Array;
  /** Absent: every key fits 32 bits, and its high half is the sign of its low half. */
  readonly keyHigh: Int32Array | undefined;
  readonly valueLow: Int32Array;
  readonly valueHigh: Int32Array | undefined;
  /**
   * `zero`: a key has the value 0 before the first transaction, unless some transaction writes 0 to it (plume, PolySI,
   * cobra). `none`: there is no initial value, and a read of an unwritten value is a thin-air read (AWDIT test).
   */
  readonly initial: 'zero' | 'none';
  /** When each transaction began and completed, in nanoseconds, if the format has times. */
  readonly beginAt: Float64Array | undefined;
  readonly endAt: Float64Array | undefined;
  /** The transactions in the order of the file. It is a hint for speed, and no verdict depends on it. Absent: 0, 1, 2, ... */
  readonly fileOrder: Uint32Array | undefined;
  /** The file's own names of session s and transaction t, for witnesses. Absent: their numbers. */
  readonly sessionName: ((session: number) => string) | undefined;
  readonly txnName: ((txn: number) => string) | undefined;
  /** The level that the file names for transaction t. Absent: the file names no levels. */
  readonly level?: (txn: number) => Level | undefined;
  /** The id of transaction t in the round behind this history. Absent: no round is behind it, or its maker gave no ids. */
  readonly txnId?: (txn: number) => number | undefined;
  /** The file's name for the key with these halves, if its keys are no integers. Absent: the number itself. */
  readonly keyName?: (low: number, high: number) => string;
  /** The file's name for the value with these halves. */
  readonly valueName?: (low: number, high: number) => string;
  /** Oddities of the file, to be shown as warnings. */
  readonly notes: readonly Note[];
}

/** The key of an operation, exactly. */
export function kvKey(history: KvHistory, op: number): bigint {
  return int64(history.keyLow, history.keyHigh, op);
}

/** The value of an operation, exactly (meaningless for readInitial). */
export function kvValue(history: KvHistory, op: number): bigint {
  return int64(history.valueLow, history.valueHigh, op);
}

function int64(low: Int32Array, high: Int32Array | undefined, op: number): bigint {
  const l = low[op] ?? 0;
  return high === undefined ? BigInt(l) : (BigInt(high[op] ?? 0) << 32n) | BigInt(l >>> 0);
}
