/**
 * Returns the case as it ran, if statements were bound as they were sent (core/bind-statement.ts). The record has the
 * value that a compare-and-set expected and the value that a write wrote. Statements that were not sent are bound to no
 * value.
 */
import { bindLastRead } from '../../../../core/index.ts';
import type { History, ObjectOperation, Statement, TestCase } from '../../../../core/index.ts';

export function boundCase({ binds, ...testCase }: TestCase, { statements, transactions }: History): TestCase {
  if (binds !== true) return testCase;
  const sent = new Map<string, ObjectOperation>();
  for (let s = 0; s < statements.count; s++) {
    const operation = statements.operation[s];
    if (operation !== undefined) sent.set(`${transactions.id[statements.txn[s]!]} ${statements.plan[s]}`, operation);
  }
  const sessions = testCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => ({
      ...txn,
      statements: txn.statements.map((statement, place) => boundAs(statement, sent.get(`${txn.id} ${place}`))),
    })),
  }));
  return { ...testCase, sessions };
}

function boundAs(statement: Statement, operation: ObjectOperation | undefined): Statement {
  if (operation?.do === 'append') return statement;
  const bound = bindLastRead(statement, operation?.expected ?? null);
  if (bound.kind !== 'update' || operation?.do !== 'write') return bound;
  const [first, ...rest] = bound.set;
  return { ...bound, set: [{ ...first!, value: { kind: 'literal', type: 'integer', value: operation.value } }, ...rest] };
}
