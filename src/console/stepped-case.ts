/** Turns the steps so far into a test case, which runs the same statements in the same order elsewhere. */
import type { Schema } from '../../core/sql/index.ts';
import type { Dialect, DialectLevel } from '../../core/dialect/index.ts';
import type { TestCase, TxnPlan } from '../../core/program/index.ts';
import type { SteppedRecord, SteppedTxn } from './step.ts';
import { txnName } from './step.ts';

/** Returns the case, or the reason why it cannot be run again. The case rolls back open transactions at its end. */
export function caseOf({ steps, transactions, sessions }: SteppedRecord, schema: Schema): TestCase | string {
  if (transactions.length === 0) return 'nothing was stepped yet';
  const unknown = transactions.find(({ outcome }) => outcome === 'unknown');
  if (unknown !== undefined)
    return `nobody knows whether ${txnName(unknown.id)} committed: its connection was lost while its COMMIT was on its way`;
  const mixed = levelsOf(transactions).length > 1;
  return {
    seed: 'console',
    schema,
    sessions: Array.from({ length: sessions }, (_, session) => ({
      transactions: transactions.filter((txn) => txn.session === session).map((txn) => planOf(txn, mixed)),
    })),
    schedule: steps.map(({ session }) => session),
  };
}

function planOf({ id, steps, end = 'rollback', level }: SteppedTxn, mixed: boolean): TxnPlan {
  return {
    id,
    name: txnName(id),
    statements: steps.flatMap(({ statement }) => statement ?? []),
    end,
    autocommit: false,
    ...(mixed && { level: level.level }),
  };
}

/** Returns the levels that the transactions ran at. */
export function levelsOf(transactions: readonly Pick<SteppedTxn, 'level'>[]): readonly DialectLevel[] {
  return [...new Set(transactions.map(({ level }) => level))];
}

/** Returns the weakest level of the transactions. The case as a whole counts as run at it. */
export function levelOfCase(transactions: readonly SteppedTxn[], { levels }: Pick<Dialect, 'levels'>): DialectLevel {
  const ran = levelsOf(transactions);
  return levels.find((level) => ran.includes(level)) ?? ran[0]!;
}
