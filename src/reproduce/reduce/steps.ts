/**
 * A case as one list of steps in global order, so that removing part of a transaction also removes its place in the
 * order. BEGIN, each statement, COMMIT and ROLLBACK are steps. An autocommit transaction is one step.
 */
import type { SessionPlan, Statement, TestCase, TxnPlan } from '../../../core/index.ts';

export interface Step {
  readonly session: number;
  readonly txn: number;
  /** A number is the statement's position in the plan. */
  readonly part: 'begin' | 'end' | number;
}

export function stepsOf({ sessions, schedule = [] }: TestCase): Step[] {
  const queues = sessions.map(({ transactions }, session) => transactions.flatMap((txn) => stepsOfTxn(txn, session)));
  const next = queues.map(() => 0);
  const order: Step[] = [];
  const take = (session: number): void => {
    const step = queues[session]?.[next[session]!];
    if (step === undefined) return;
    next[session]!++;
    order.push(step);
  };
  for (const session of schedule) take(session);
  queues.forEach((queue, session) => {
    while (next[session]! < queue.length) take(session);
  });
  return order;
}

function stepsOfTxn(txn: TxnPlan, session: number): Step[] {
  const statements = txn.statements.map((_, part): Step => ({ session, txn: txn.id, part }));
  return txn.autocommit
    ? statements.slice(0, 1)
    : [{ session, txn: txn.id, part: 'begin' }, ...statements, { session, txn: txn.id, part: 'end' }];
}

/** Keeps only the statements that `keep` selects. Transactions and sessions without any are removed too. */
export function keepStatements(testCase: TestCase, keep: (txn: TxnPlan, place: number) => boolean): TestCase {
  const left = new Map<number, readonly number[]>();
  for (const { transactions } of testCase.sessions) {
    for (const txn of transactions)
      left.set(
        txn.id,
        txn.statements.flatMap((_, place) => (keep(txn, place) ? [place] : [])),
      );
  }
  const steps = stepsOf(testCase).filter(
    ({ txn, part }) => left.get(txn)!.length > 0 && (typeof part !== 'number' || left.get(txn)!.includes(part)),
  );
  const sessions = testCase.sessions.map((session): SessionPlan => ({
    ...session,
    transactions: session.transactions.flatMap((txn) => {
      const places = left.get(txn.id)!;
      return places.length === 0 ? [] : [{ ...txn, statements: places.map((place) => txn.statements[place]!) }];
    }),
  }));
  return withoutIdle({ ...testCase, sessions, schedule: steps.map(({ session }) => session) });
}

function withoutIdle(testCase: TestCase): TestCase {
  const number = new Map<number, number>();
  testCase.sessions.forEach(({ transactions }, session) => {
    if (transactions.length > 0) number.set(session, number.size);
  });
  return {
    ...testCase,
    sessions: testCase.sessions.filter(({ transactions }) => transactions.length > 0),
    schedule: (testCase.schedule ?? []).map((session) => number.get(session)!),
  };
}

/** Returns the case in another order of its steps, which must keep the order within each session. */
export function inOrder(testCase: TestCase, steps: readonly Step[]): TestCase {
  return { ...testCase, schedule: steps.map(({ session }) => session) };
}

/** Replaces the statement at one position. */
export function withStatement(testCase: TestCase, id: number, place: number, statement: Statement): TestCase {
  return mapTransactions(testCase, (txn) =>
    txn.id === id ? { ...txn, statements: txn.statements.map((each, i) => (i === place ? statement : each)) } : txn,
  );
}

export function mapTransactions(testCase: TestCase, change: (txn: TxnPlan) => TxnPlan): TestCase {
  return { ...testCase, sessions: testCase.sessions.map((session) => ({ ...session, transactions: session.transactions.map(change) })) };
}

export function transactionsOf({ sessions }: TestCase): readonly TxnPlan[] {
  return sessions.flatMap(({ transactions }) => transactions);
}
