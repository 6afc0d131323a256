/**
 * Builds the history for the checker of lightweight transactions: every operation on an object is a transaction.
 * Linearizability is local, so a closing read of all objects counts as a read of each.
 */
import { KvHistoryBuilder, checkLwt, withIds } from '../../../../check/index.ts';
import type { KvHistory, KvVerdict } from '../../../../core/index.ts';
import { isBadRead } from './anomaly.ts';
import type { ObservedKeyValues } from './history.ts';

export function linearizable(observed: ObservedKeyValues): KvVerdict {
  const apart = operationsApart(observed);
  const verdict = withIds(checkLwt(apart), apart);
  // The checkers of the whole history report these too, with its own transactions.
  return { ...verdict, anomalies: verdict.anomalies.filter((anomaly) => !isBadRead(anomaly)) };
}

/** A compare-and-set that succeeded becomes its read and its write. One that found another value contributes nothing. */
function operationsApart({ history, accesses }: ObservedKeyValues): KvHistory {
  const { transactions, statements } = history;
  const builder = new KvHistoryBuilder('zero');
  let handle = -1;
  accesses.forEach(({ statement, key, write, value }, i) => {
    if (value === undefined) return;
    const before = accesses[i - 1];
    if (!(write && before?.statement === statement && before.key === key)) {
      const t = statements.txn[statement]!;
      handle = builder.txn(
        builder.session(String(transactions.session[t])),
        String(transactions.id[t]),
        transactions.status[t],
        transactions.id[t],
      );
      builder.setTimes(handle, transactions.beginAt[t]!, transactions.endAt[t]!);
    }
    if (write) builder.write(handle, key, BigInt(value));
    else builder.read(handle, key, BigInt(value));
  });
  return builder.finish();
}
