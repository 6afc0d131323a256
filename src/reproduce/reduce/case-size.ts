/** The size of a case, for people: reports show it before and after reduction. */
import type { CaseSize, TestCase } from '../../../core/index.ts';
import { transactionsOf } from './steps.ts';

export function caseSize(testCase: TestCase): CaseSize {
  const transactions = transactionsOf(testCase);
  return {
    sessions: testCase.sessions.length,
    transactions: transactions.length,
    statements: transactions.reduce((sum, { statements }) => sum + statements.length, 0),
    tables: testCase.schema.tables.length,
    rows: testCase.schema.tables.reduce((sum, { rows }) => sum + rows.length, 0),
  };
}
