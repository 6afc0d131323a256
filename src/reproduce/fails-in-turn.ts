/**
 * Tells whether a statement that failed in a run also fails without concurrency. Then the error says nothing about
 * isolation, and the case cannot show whether an anomaly occurs.
 */
import type { DialectLevel, ErrorClass, History, TestCase } from '../../core/index.ts';
import { permutations } from '../../core/index.ts';
import { transactionsOf } from './reduce/index.ts';
import type { Replayer } from './replayer.ts';
import { serialCase } from './serial-outcomes.ts';

/** A statement of a case, and the error with which it failed. */
export interface CaseFailure {
  readonly txn: number;
  /** Position in the plan of its transaction; -1: BEGIN or the end. */
  readonly place: number;
  readonly code: string;
  readonly message: string;
}

/** A server raises these only for concurrency, or after another error. */
const BY_CONCURRENCY: ReadonlySet<ErrorClass> = new Set(['deadlock', 'serialization', 'lock timeout', 'aborted transaction']);
/** With more transactions, two orders are run. */
const MOST_TRANSACTIONS = 4;

/** Returns the first error that concurrency need not have caused. */
export function failureIn({ statements, transactions }: Pick<History, 'statements' | 'transactions'>): CaseFailure | undefined {
  for (const [s, error] of statements.error.entries()) {
    if (error === undefined || BY_CONCURRENCY.has(error.class)) continue;
    const { code, message } = error;
    return { txn: transactions.id[statements.txn[s]!]!, place: statements.plan[s]!, code, message };
  }
  return undefined;
}

/** True if the statement fails in every order of the transactions. A text says why an order did not come to its end. */
export async function failsInTurn(
  replayer: Replayer,
  testCase: TestCase,
  level: DialectLevel,
  failure: CaseFailure,
): Promise<boolean | string> {
  const ids = transactionsOf(testCase).map(({ id }) => id);
  for (const order of ids.length > MOST_TRANSACTIONS ? [ids, ids.toReversed()] : permutations(ids)) {
    const { history, complete, reason } = await replayer.attempt(serialCase(testCase, order), { level });
    if (!complete) return reason ?? 'no reason given';
    if (!failsSo(history, failure)) return false;
  }
  return ids.length > 0;
}

function failsSo({ statements, transactions }: History, { txn, place, code }: CaseFailure): boolean {
  return statements.error.some(
    (error, s) => error?.code === code && statements.plan[s] === place && transactions.id[statements.txn[s]!] === txn,
  );
}
