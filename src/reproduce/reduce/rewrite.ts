/** Applies one change at every place of a test case: in its statements, views and checks. */
import { mapExpression, mapStatement } from '../../../core/index.ts';
import type { Change, Expression, Schema, TestCase } from '../../../core/index.ts';
import { mapTransactions } from './steps.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;

/** Replaces every literal. */
export function changed(testCase: TestCase, literal: (literal: Literal) => Expression): TestCase {
  const change: Change = { expression: (each) => (each.kind === 'literal' ? literal(each) : each) };
  const { schema } = testCase;
  const tables = schema.tables.map((table) => ({
    ...table,
    checks: table.checks.map((check) => ({ ...check, expression: mapExpression(check.expression, change) })),
  }));
  return changedStatements({ ...testCase, schema: { ...schema, tables, ...changedViews(schema, change) } }, change);
}

export function changedStatements(testCase: TestCase, change: Change): TestCase {
  return mapTransactions(testCase, (txn) => ({ ...txn, statements: txn.statements.map((statement) => mapStatement(statement, change)) }));
}

function changedViews({ views }: Schema, change: Change): Pick<Schema, 'views'> {
  return views === undefined ? {} : { views: views.map((view) => ({ ...view, query: mapStatement(view.query, change) })) };
}
