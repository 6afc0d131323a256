/**
 * Transactions and sessions numbered in the order in which they begin, and generated queries of one table without the alias
 * that nobody needs. Tables and columns keep their names, and what a file's author wrote keeps its aliases: a reader knows
 * them. The case is executed once more as it then reads.
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

/** Its plain columns keep their names. A transaction that has a name is an author's. */
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
