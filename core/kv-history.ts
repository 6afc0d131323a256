/**
 * A key-value history in columns: what the AWDIT, mini-transaction and search checkers read and the file formats fill.
 * Transactions are numbered session by session in session order, so "same session, earlier" compares two integers.
 * Keys and values are signed 64-bit, as two 32-bit halves; the high halves are absent when no value needs them.
 */

/** Column value of `KvHistory.kind`. `readInitial` is a read that returned "nothing there yet" (nil, null). */
export const OP = { read: 0, write: 1, readInitial: 2 } as const;

export interface KvHistory {
  readonly sessionCount: number;
  readonly txnCount: number;
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
  /** The file's own names: session s and transaction t were called this (for witnesses); absent: their numbers. */
  readonly sessionName: ((session: number) => string) | undefined;
  readonly txnName: ((txn: number) => string) | undefined;
  /** Oddities of the file, to be shown as warnings. */
  readonly notes: readonly string[];
}
