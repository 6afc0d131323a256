/**
 * Gives each statement of a case the values that its transaction had read by then. Later stages need them to know what a
 * condition meant. A case that reads nothing into names is returned as it is.
 */
import { namesNeeded, bindsNames, bindingsAt, withBindings } from '../../core/index.ts';
import type { History, ProbedCase, ProbedStatement, Bindings } from '../../core/index.ts';

export function boundCase(probedCase: ProbedCase, history: History): ProbedCase {
  const all = probedCase.sessions.flatMap(({ transactions }) => transactions).flatMap(({ statements }) => statements);
  if (!all.some(({ original }) => bindsNames(original))) return probedCase;
  const boundBefore = bindingsAt(history, probedCase.testCase);
  const sessions = probedCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => ({
      ...txn,
      statements: txn.statements.map((planned, place) => boundStatement(planned, boundBefore(txn.id, place))),
    })),
  }));
  return { ...probedCase, sessions };
}

function boundStatement(planned: ProbedStatement, bindings: Bindings): ProbedStatement {
  const { original, statement, before } = planned;
  if (namesNeeded(original).length === 0) return planned;
  return {
    ...planned,
    original: withBindings(original, bindings),
    statement: withBindings(statement, bindings),
    ...(before && { before: { ...before, statement: withBindings(before.statement, bindings) } }),
  };
}
