/**
 * A key-value history in columns: what the AWDIT, mini-transaction and search checkers read and the file formats fill.
 * Transactions are numbered session by session in session order, so "same session, earlier" compares two integers.
 * Keys and values are signed 64-bit, as two 32-bit halves; the high halves are absent when no value needs them.
 *
 * Walk the operations by transaction (`for op = opStart[t]; op < opEnd[t]`), never from 0 to opCount: the columns may
 * be longer than opCount and have holes between transactions (a parallel parser leaves them).
 */

import type { Level } from './level.ts';
import type { Note } from './note.ts';

/** Column value of `KvHistory.kind`. `readInitial` is a read that returned "nothing there yet" (nil, null). */
export const OP = { read: 0, write: 1, readInitial: 2 } as const;

export interface KvHistory {
  readonly sessionCount: number;
  readonly txnCount: number;
  /** Operations of all transactions; the columns may be longer. */
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
  /** Absent: every key fits 32 bits, its high half is the sign of its low half. Present: the true high halves. */
  readonly keyHigh: Int32Array | undefined;
  readonly valueLow: Int32Array;
  readonly valueHigh: Int32Array | undefined;
  /**
   * `zero`: a key that no transaction writes 0 to has the value 0 before the first transaction (plume, PolySI, cobra);
   * `none`: there is no initial value, a read of an unwritten value is thin air (AWDIT test).
   */
  readonly initial: 'zero' | 'none';
  /** Nanoseconds, per transaction, where the format has them: invocation and completion. */
  readonly beginAt: Float64Array | undefined;
  readonly endAt: Float64Array | undefined;
  /** The transactions in the order of the file: a hint for speed, no verdict depends on it. Absent: 0, 1, 2, ... */
  readonly fileOrder: Uint32Array | undefined;
  /** The file's own names: session s and transaction t were called this (for witnesses); absent: their numbers. */
  readonly sessionName: ((session: number) => string) | undefined;
  readonly txnName: ((txn: number) => string) | undefined;
  /** What transaction t is said to run at; absent: the file names no levels. */
  readonly level?: (txn: number) => Level | undefined;
  /** The id of transaction t in the round that the history was made of; absent: it is of no round, or its maker gave none. */
  readonly txnId?: (txn: number) => number | undefined;
  /** What the file calls the key with these halves, where its keys are no integers; absent: the number itself. */
  readonly keyName?: (low: number, high: number) => string;
  /** The same for values. */
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
