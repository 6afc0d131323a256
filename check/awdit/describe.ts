/** Describes operations and transactions of a history in the words of a witness. */
import { KV_INITIAL, OP, kvKey, kvValue } from '../../core/index-kv.ts';
import type { KvAnomalyName, KvHistory, KvOperation, Level } from '../../core/index.ts';
import type { AwditState } from './state.ts';

const FROM_CC = ['cc', 'snapshot-isolation', 'serializable', 'strict-serializable'] as const satisfies readonly Level[];
const FROM_RA = ['ra', ...FROM_CC] as const satisfies readonly Level[];
const FROM_RC = ['rc', ...FROM_RA] as const satisfies readonly Level[];

/** AWDIT's names for the violations of a history. */
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

/** Takes transactions by their number v, and returns their index and names in the history. */
export class Describer {
  private readonly state: AwditState;
  private readonly history: KvHistory;

  constructor(state: AwditState) {
    this.state = state;
    this.history = state.history;
  }

  /** Returns the transaction of an operation. It is linear and serves witnesses only. */
  txnOf(op: number): number {
    const { txnCount, opStart, opEnd } = this.state;
    for (let v = 0; v < txnCount; v++) if (opStart[v] <= op && op < opEnd[v]) return v;
    return KV_INITIAL;
  }

  /** Returns its index in the history. */
  index(v: number): number {
    return v < 0 ? KV_INITIAL : this.state.order[v];
  }

  txnName(v: number): string {
    return v < 0 ? 'the initial transaction' : `transaction ${this.ownName(v)}`;
  }

  /** Returns the name with its session, for first mentions. */
  txnTitle(v: number): string {
    return v < 0 ? this.txnName(v) : `${this.txnName(v)} of session ${this.sessionName(v)}`;
  }

  sessionName(v: number): string {
    const session = this.state.session[v];
    return this.history.sessionName?.(session) ?? String(session);
  }

  key(op: number): string {
    const { keyLow, keyHigh, keyName } = this.history;
    return keyName?.(keyLow[op], keyHigh?.[op] ?? keyLow[op] >> 31) ?? String(kvKey(this.history, op));
  }

  value(op: number): string | null {
    const { kind, valueLow, valueHigh, valueName } = this.history;
    if (kind[op] === OP.readInitial) return null;
    return valueName?.(valueLow[op], valueHigh?.[op] ?? valueLow[op] >> 31) ?? String(kvValue(this.history, op));
  }

  /** Returns `x = 7` for an operation. */
  pair(op: number): string {
    return `${this.key(op)} = ${this.value(op) ?? 'nothing'}`;
  }

  operation(op: number, v: number): KvOperation {
    return {
      txn: this.index(v),
      txnName: this.ownName(v),
      session: this.sessionName(v),
      kind: this.history.kind[op] === OP.write ? 'write' : 'read',
      key: this.key(op),
      value: this.value(op),
    };
  }

  /** Returns the transaction's last write of the key of operation `like`, or -1. */
  lastWrite(v: number, like: number): number {
    if (v < 0) return -1;
    const { opStart, opEnd, key } = this.state;
    for (let op = opEnd[v] - 1; op >= opStart[v]; op--) if (this.history.kind[op] === OP.write && key[op] === key[like]) return op;
    return -1;
  }

  private ownName(v: number): string {
    const t = this.state.order[v];
    return this.history.txnName?.(t) ?? String(t);
  }
}
