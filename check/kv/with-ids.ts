/** A key-value checker's verdict in the ids of the round's transactions instead of its own numbers; 0 is the initial state. */
import { KV_INITIAL } from '../../core/index.ts';
import type { KvHistory, KvOperation, KvVerdict } from '../../core/index.ts';

/** `history`: the one that was checked, its transactions named by their ids, with or without a T before them. */
export function withIds(verdict: KvVerdict, { txnName }: KvHistory): KvVerdict {
  const id = (txn: number): number => (txn === KV_INITIAL ? 0 : Number(txnName?.(txn).replace(/^T/, '')));
  const operation = (op: KvOperation): KvOperation => ({ ...op, txn: id(op.txn) });
  const anomalies = verdict.anomalies.map((anomaly) => ({
    ...anomaly,
    transactions: anomaly.transactions.map(id),
    operations: anomaly.operations.map(operation),
    cycle: anomaly.cycle.map((step) => ({ ...step, from: id(step.from), to: id(step.to), operations: step.operations.map(operation) })),
  }));
  return { ...verdict, anomalies };
}
