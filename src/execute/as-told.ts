/**
 * A case as it ran: each statement with the values that its transaction had read by then, for whoever asks afterwards what a
 * condition meant. A case that reads nothing into names is returned as it is.
 */
import { namesNeeded, tells, toldIn, withTold } from '../../core/index.ts';
import type { History, ProbedCase, ProbedStatement, Told } from '../../core/index.ts';

export function asTold(probedCase: ProbedCase, history: History): ProbedCase {
  const all = probedCase.sessions.flatMap(({ transactions }) => transactions).flatMap(({ statements }) => statements);
  if (!all.some(({ original }) => tells(original))) return probedCase;
  const toldAt = toldIn(history, probedCase.testCase);
  const sessions = probedCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => ({
      ...txn,
      statements: txn.statements.map((planned, place) => statementAsTold(planned, toldAt(txn.id, place))),
    })),
  }));
  return { ...probedCase, sessions };
}

function statementAsTold(planned: ProbedStatement, told: Told): ProbedStatement {
  const { original, statement, before } = planned;
  if (namesNeeded(original).length === 0) return planned;
  return {
    ...planned,
    original: withTold(original, told),
    statement: withTold(statement, told),
    ...(before && { before: { ...before, statement: withTold(before.statement, told) } }),
  };
}
