/**
 * Turns a run of a .spec into a test case of typed statements in the same order, so that it can run again with probes.
 * The target's own grammar reads its SQL. If it refuses a part, there is no case.
 */
import { UsageError, isRefusal } from '../../../core/index.ts';
import type { Dialect, Statement, TestCase, TxnPlan } from '../../../core/index.ts';
import { piecesOf } from '../../../schema-gen/index.ts';
import { fixtureOf } from '../../console/fixture.ts';
import type { SteppedFixture } from '../../console/fixture.ts';
import type { Spec } from './parse-spec.ts';
import type { SpecRun, StepRun } from './spec-runner.ts';
import type { SpecTransaction } from './spec-transactions.ts';

type Part = { readonly does: 'begin' | 'commit' | 'rollback' | 'nothing' } | { readonly does: 'statement'; readonly statement: Statement };

const FORMS: readonly { readonly does: 'begin' | 'commit' | 'rollback' | 'nothing'; readonly form: RegExp }[] = [
  { does: 'begin', form: /^(begin(\s+(work|transaction))?|start\s+transaction)(\s+isolation\s+level\s+\w+(\s+\w+)?)?$/i },
  { does: 'nothing', form: /^set\s+(session\s+|local\s+)?transaction\s+isolation\s+level\s+\w+(\s+\w+)?$/i },
  { does: 'commit', form: /^(commit|end)(\s+(work|transaction))?$/i },
  { does: 'rollback', form: /^(rollback|abort)(\s+(work|transaction))?$/i },
];

/** Returns a text if there is no case. */
export async function caseOfRun(
  spec: Spec,
  run: SpecRun,
  transactions: readonly SpecTransaction[],
  dialect: Dialect,
): Promise<TestCase | string> {
  try {
    const fixture = await fixtureOf({ name: spec.path, text: spec.setup.map((sql) => `${sql.replace(/;\s*$/, '')};`).join('\n') }, dialect);
    const parts = new Map(run.steps.map((step) => [step, partsOf(step.item.sql, fixture)]));
    const setups = spec.sessions.map(({ setup }) => (setup === undefined ? [] : partsOf(setup, fixture)));
    const odd = setups.flat().find(({ does }) => does !== 'begin' && does !== 'nothing');
    if (odd !== undefined) return 'the setup of a session holds more than the begin of a transaction';
    return {
      seed: 'spec',
      schema: fixture.schema,
      sessions: spec.sessions.map((_, session) => ({
        transactions: transactions.flatMap((txn, t) => (txn.session === session ? [planOf(txn, t + 1, parts)] : [])),
      })),
      schedule: run.steps.flatMap((step) => scheduled(step, transactions, parts)),
    };
  } catch (error) {
    if (error instanceof UsageError) return `it is not read as typed statements: ${error.message}`;
    throw error;
  }
}

function partsOf(sql: string, { importer, schema }: SteppedFixture): readonly Part[] {
  return piecesOf(sql).pieces.map(({ text }): Part => {
    const does = FORMS.find(({ form }) => form.test(text))?.does;
    if (does !== undefined) return { does };
    const statement = importer.statement({ sql: text, line: 1 }, schema, new Map());
    if (isRefusal(statement)) throw new UsageError(`${text}: ${statement.reason}`);
    return { does: 'statement', statement };
  });
}

function planOf(txn: SpecTransaction, id: number, parts: ReadonlyMap<StepRun, readonly Part[]>): TxnPlan {
  const own = txn.steps.flatMap((step) => parts.get(step)!);
  return {
    id,
    statements: own.flatMap((part) => (part.does === 'statement' ? [part.statement] : [])),
    end: txn.committed ? 'commit' : 'rollback',
    autocommit: isAutocommit(txn, parts),
  };
}

function isAutocommit(txn: SpecTransaction, parts: ReadonlyMap<StepRun, readonly Part[]>): boolean {
  return !txn.opened && txn.steps.flatMap((step) => parts.get(step)!).every(({ does }) => does === 'statement');
}

/** Names the session once for each message. A BEGIN of the setup goes with the first step. */
function scheduled(
  step: StepRun,
  transactions: readonly SpecTransaction[],
  parts: ReadonlyMap<StepRun, readonly Part[]>,
): readonly number[] {
  const { session } = step.item;
  const txn = transactions.find(({ steps }) => steps.includes(step))!;
  const begun = txn.opened && txn.steps[0] === step ? 1 : 0;
  const messages = parts.get(step)!.filter(({ does }) => does !== 'nothing').length;
  return Array.from({ length: messages + begun }, () => session);
}
