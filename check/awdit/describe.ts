/** Operations and transactions of a history in the words of a witness. */
import { KV_INITIAL, OP, kvKey, kvValue } from '../../core/index.ts';
import type { KvAnomalyName, KvHistory, KvOperation, Level } from '../../core/index.ts';

const FROM_CC = ['cc', 'snapshot-isolation', 'serializable', 'strict-serializable'] as const satisfies readonly Level[];
const FROM_RA = ['ra', ...FROM_CC] as const satisfies readonly Level[];
const FROM_RC = ['rc', ...FROM_RA] as const satisfies readonly Level[];

/** AWDIT's names for what a history does wrong. */
export type AwditAnomalyName = Extract<
  KvAnomalyName,
  | 'ThinAirRead'
  | 'AbortedRead'
  | 'IntermediateRead'
  | 'FutureRead'
  | 'NotMyOwnWrite'
  | 'NotMyLastWrite'
  | 'CyclicCO'
  | 'NonMonotonicRead'
  | 'NonRepeatableRead'
  | 'FracturedRead'
  | 'SessionGuaranteeViolation'
  | 'CausalityViolation'
>;

/** The levels that each name rules out (Biswas, Enea 2019; AWDIT, Definitions 2.3 to 2.8). */
export const LEVELS_BROKEN: Readonly<Record<AwditAnomalyName, readonly Level[]>> = {
  ThinAirRead: FROM_RC,
  AbortedRead: FROM_RC,
  IntermediateRead: FROM_RC,
  FutureRead: FROM_RC,
  NotMyOwnWrite: FROM_RC,
  NotMyLastWrite: FROM_RC,
  CyclicCO: FROM_RC,
  NonMonotonicRead: FROM_RC,
  NonRepeatableRead: FROM_RA,
  FracturedRead: FROM_RA,
  SessionGuaranteeViolation: FROM_RA,
  CausalityViolation: FROM_CC,
};

export class Describer {
  private readonly history: KvHistory;

  constructor(history: KvHistory) {
    this.history = history;
  }

  sessionOf(txn: number): number {
    const { sessionStart, sessionCount } = this.history;
    let low = 0;
    let high = sessionCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (sessionStart[middle] <= txn) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The transaction of an operation; linear, for witnesses only. */
  txnOf(op: number): number {
    const { txnCount, opStart, opEnd } = this.history;
    for (let t = 0; t < txnCount; t++) if (opStart[t] <= op && op < opEnd[t]) return t;
    return KV_INITIAL;
  }

  txnName(txn: number): string {
    return txn < 0 ? 'the initial transaction' : `transaction ${this.history.txnName?.(txn) ?? txn}`;
  }

  /** With its session, for first mentions. */
  txnTitle(txn: number): string {
    return txn < 0 ? this.txnName(txn) : `${this.txnName(txn)} of session ${this.sessionName(txn)}`;
  }

  sessionName(txn: number): string {
    const session = this.sessionOf(txn);
    return this.history.sessionName?.(session) ?? String(session);
  }

  key(op: number): string {
    return String(kvKey(this.history, op));
  }

  value(op: number): string | null {
    return this.history.kind[op] === OP.readInitial ? null : String(kvValue(this.history, op));
  }

  /** `x = 7` for an operation. */
  pair(op: number): string {
    return `${this.key(op)} = ${this.value(op) ?? 'nothing'}`;
  }

  operation(op: number, txn: number): KvOperation {
    return {
      txn,
      txnName: this.history.txnName?.(txn) ?? String(txn),
      session: this.sessionName(txn),
      kind: this.history.kind[op] === OP.write ? 'write' : 'read',
      key: this.key(op),
      value: this.value(op),
    };
  }

  /** The transaction's last write of the key of operation `like`, or -1. */
  lastWrite(txn: number, like: number): number {
    if (txn < 0) return -1;
    const { opStart, opEnd, kind } = this.history;
    const key = kvKey(this.history, like);
    for (let op = opEnd[txn] - 1; op >= opStart[txn]; op--) if (kind[op] === OP.write && kvKey(this.history, op) === key) return op;
    return -1;
  }
}
