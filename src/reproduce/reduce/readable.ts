/**
 * Makes a case readable. Transactions and sessions are numbered in the order in which they begin. Generated queries of
 * one table lose their alias. Tables and columns keep their names, and so do aliases of a file's author, because readers
 * know them. The case runs once more in this form.
 */
import { contentsOf, mapStatement } from '../../../core/index.ts';
import type { Select, TestCase } from '../../../core/index.ts';
import { mapTransactions, stepsOf } from './steps.ts';

export function readable(testCase: TestCase): TestCase {
  return withPlainAliases(inOrderOfBegin(testCase));
}

function inOrderOfBegin(testCase: TestCase): TestCase {
  const steps = stepsOf(testCase);
  const ids = [...new Set(steps.map(({ txn }) => txn))];
  const sessions = [...new Set(steps.map(({ session }) => session))];
  return {
    ...testCase,
    sessions: sessions.map((session) => ({
      ...testCase.sessions[session]!,
      transactions: testCase.sessions[session]!.transactions.map((txn) => ({ ...txn, id: ids.indexOf(txn.id) + 1 })),
    })),
    schedule: steps.map(({ session }) => sessions.indexOf(session)),
  };
}

/** Removes the alias of a query, whose plain columns keep their names. A transaction with a name is an author's and stays. */
function withPlainAliases(testCase: TestCase): TestCase {
  const change = (select: Select): Select => {
    if (select.from.kind !== 'table' || select.with || contentsOf(select).queries.length > 1) return select;
    const { table, alias } = select.from;
    const own = mapStatement(select, {
      expression: (each) => (each.kind === 'column' && each.table === alias ? { ...each, table } : each),
    });
    const names = own.items.map(({ expression }) => (expression.kind === 'column' ? expression.column : ''));
    const items = own.items.map((item, i) => (names[i] !== '' && names.indexOf(names[i]!) === i ? { ...item, alias: names[i]! } : item));
    return { ...own, items, from: { kind: 'table', table, alias: table } };
  };
  return mapTransactions(testCase, (txn) =>
    txn.name === undefined
      ? { ...txn, statements: txn.statements.map((statement) => (statement.kind === 'select' ? change(statement) : statement)) }
      : txn,
  );
}
