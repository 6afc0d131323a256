/**
 * Lightweight transactions: a history in which every operation on an object is a transaction, which is what their checker
 * takes (linearizability is local, so a closing read of all objects may count as a read of each), and the case as it ran.
 */
import { KvHistoryBuilder, checkLwt, withIds } from '../../../check/index.ts';
import { LAST_READ, bindStatement } from '../../../core/index.ts';
import type { History, KvHistory, KvVerdict, TestCase } from '../../../core/index.ts';
import { isBadRead } from './anomaly.ts';
import type { ObservedKeyValues } from './history.ts';

export function linearizable(observed: ObservedKeyValues): KvVerdict {
  const apart = operationsApart(observed);
  const verdict = withIds(checkLwt(apart), apart);
  // the checkers of the whole history name those too, by its own transactions
  return { ...verdict, anomalies: verdict.anomalies.filter((anomaly) => !isBadRead(anomaly)) };
}

/** A compare-and-set that succeeded is its read and its write; one that found another value contributes nothing. */
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

/** The case with what each compare-and-set expected when it was sent, read off the record. */
export function boundCase({ binds, ...testCase }: TestCase, { statements, transactions }: History): TestCase {
  if (binds !== true) return testCase;
  const expected = new Map<number, number>();
  for (let s = 0; s < statements.count; s++) {
    const operation = statements.operation[s];
    if (operation?.do !== 'append' && typeof operation?.expected === 'number')
      expected.set(transactions.id[statements.txn[s]!]!, operation.expected);
  }
  const bound = (id: number): Parameters<typeof bindStatement>[1] =>
    new Map([[LAST_READ, { type: 'integer', value: expected.get(id) ?? null }]]);
  const sessions = testCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => ({
      ...txn,
      statements: txn.statements.map((statement) => bindStatement(statement, bound(txn.id))),
    })),
  }));
  return { ...testCase, sessions };
}
