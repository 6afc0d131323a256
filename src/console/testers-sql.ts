/**
 * A spec is for isolationtester, which runs on PostgreSQL alone. Steps on another server are printed anew in the SQL that the
 * tester takes. The file then says that they did not run on PostgreSQL.
 */
import { InternalError, UsageError } from '../../core/base/index.ts';
import { beginText, setupOf } from '../../core/dialect/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { PlainRun, PlainStep } from '../../core/verdict/index.ts';
import { DIALECTS } from '../../dialects/index.ts';
import type { SteppedRecord } from './step.ts';
import type { SteppedFixture } from './fixture.ts';

export const ELSEWHERE = 'Printed anew for isolationtester: what it says was observed is what that other server did.';

export function speaksIt({ vendor }: Pick<Dialect, 'vendor'>): boolean {
  return vendor.files.includes('spec');
}

interface Stepped {
  readonly dialect: Dialect;
  readonly record: SteppedRecord;
  readonly fixture: SteppedFixture;
}

/** Returns the run in the tester's SQL, or the reason why that is not possible. */
export function inTestersSql(own: PlainRun, { dialect, record, fixture }: Stepped): PlainRun | string {
  if (speaksIt(dialect)) return own;
  const tester = DIALECTS.find(speaksIt)!;
  const statements = new Map(record.transactions.map(({ id, steps }) => [id, steps.flatMap(({ statement }) => statement ?? [])]));
  const begins = new Map(record.transactions.map(({ id, level: { level } }) => [id, tester.levels.find((each) => each.level === level)]));
  const lacking = record.transactions.find(({ id }) => begins.get(id) === undefined);
  if (lacking !== undefined) return `a .spec is for ${tester.title}, which has no level ${lacking.level.level}`;
  const printed = (step: PlainStep): PlainStep => {
    if (step.kind === 'begin') return { ...step, sql: beginText([`BEGIN ISOLATION LEVEL ${begins.get(step.txn)!.sql}`]) };
    if (step.kind === 'commit' || step.kind === 'rollback') return step;
    const statement = statements.get(step.txn)?.shift();
    return statement === undefined ? step : { ...step, sql: tester.print(statement) };
  };
  try {
    return { ...own, ...setupOf(tester.namespaceScript('anomaly', fixture.schema)), steps: own.steps.map(printed) };
  } catch (error) {
    if (!(error instanceof InternalError) && !(error instanceof UsageError)) throw error;
    return `a .spec is in the SQL of ${tester.title}, in which this cannot be said (${error instanceof InternalError ? error.what : error.message})`;
  }
}
