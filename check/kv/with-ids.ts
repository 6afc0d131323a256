/**
 * Replaces the numbers in a key-value checker's verdict by the ids of the round's transactions. 0 is the initial state.
 */
import { InternalError, KV_INITIAL, renumbered } from '../../core/index.ts';
import type { AskedLevel, KvHistory, KvOperation, KvVerdict } from '../../core/index.ts';

/** `history` is the one that was checked, made of a round. */
export function withIds<L extends AskedLevel>(verdict: KvVerdict<L>, { txnId, txnName }: KvHistory): KvVerdict<L> {
  const id = (txn: number): number => {
    const known = txn === KV_INITIAL ? 0 : txnId?.(txn);
    if (known === undefined)
      throw new InternalError(`transaction ${txnName?.(txn) ?? txn} of a verdict has no id: its history is not made of a round`);
    return known;
  };
  const operation = (op: KvOperation): KvOperation => ({ ...op, txn: id(op.txn) });
  const anomalies = verdict.anomalies.map((anomaly) => ({
    ...anomaly,
    transactions: anomaly.transactions.map(id),
    operations: anomaly.operations.map(operation),
    cycle: anomaly.cycle.map((step) => ({ ...step, from: id(step.from), to: id(step.to), operations: step.operations.map(operation) })),
    ...(anomaly.refutation !== undefined && { refutation: renumbered(anomaly.refutation, id) }),
  }));
  return { ...verdict, anomalies };
}
