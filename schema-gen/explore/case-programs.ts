/**
 * Turns a generated case into programs: the first transactions of its sessions together, then their second ones, and so
 * on, each beginning with the rows of the case. A case of a few sessions with a dozen short transactions each gives a
 * dozen small programs on one fixture.
 */
import { firstState } from '../../core/index.ts';
import type { Program, Schema, TestCase, TxnPlan, Fixture } from '../../core/index.ts';
import { formOf } from '../relational/forms.ts';
import { rowNamesOf } from './file-programs.ts';
import { NumberUse } from './number-use.ts';
import { numberedStepOf } from './step.ts';

export type ProgramName = Pick<Program, 'number' | 'made'>;

/** `byIndex` is the planner's setting about indexes, if there is one. */
export function caseFixture(name: string, schema: Schema, byIndex: Fixture['byIndex']): Fixture {
  return { ...schema, name, rowNames: rowNamesOf(schema), byIndex };
}

/**
 * Returns the case as it is run here, and its transactions by program, each of at least two. A foreign key to its own
 * table is left out: a server that checks row by row cannot empty such a table in one statement.
 */
export function casePrograms({ schema, ...testCase }: TestCase): {
  readonly schema: Schema;
  readonly programs: readonly (readonly TxnPlan[])[];
} {
  const tables = schema.tables.map((table) => ({ ...table, foreignKeys: table.foreignKeys.filter((key) => key.table !== table.name) }));
  const most = Math.max(0, ...testCase.sessions.map(({ transactions }) => transactions.length));
  const programs = Array.from({ length: most }, (_, n) => testCase.sessions.flatMap(({ transactions }) => transactions.slice(n, n + 1)));
  return { schema: { ...schema, tables }, programs: programs.filter((plans) => plans.length > 1) };
}

/** `made` is set if a program is rebuilt from one that has a name. */
export function programOf(plans: readonly TxnPlan[], fixture: Fixture, { number, made }: Partial<ProgramName> = {}): Program {
  const use = new NumberUse(fixture, firstState(fixture));
  return {
    number: number ?? 0,
    made: made ?? { forms: plans.map((plan) => formsText(plan, fixture)).join(' | '), world: fixture.name },
    fixture,
    transactions: plans.map(({ statements, end, autocommit, begin }) => ({
      steps: statements.map((statement) => numberedStepOf(statement, fixture, use)),
      end,
      ...(autocommit && { autocommit }),
      ...(begin && { begin }),
    })),
  };
}

function formsText({ statements }: TxnPlan, schema: Schema): string {
  return statements.flatMap((statement) => formOf(statement, schema) ?? []).join(', ');
}
