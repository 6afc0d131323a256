/**
 * A test case from a workload file's templates and a seed: which transactions each session runs, by their weights, and
 * with which values. Each transaction has a stream of its own, so that one more or less leaves the others as they are.
 */
import { UsageError, bindStatement } from '../../core/index.ts';
import type { BoundValue, Random, SessionPlan, Statement, TestCase, TxnPlan } from '../../core/index.ts';
import type { Range } from '../relational/options.ts';
import { createRandom } from '../prng.ts';
import { generateSchedule } from '../schedule.ts';
import { MOST_STATEMENTS } from './limits.ts';
import type { StepTemplate, TransactionTemplate, WorkloadTemplates } from './import.ts';

export interface WorkloadCaseOptions {
  readonly mode: 'stress' | 'schedule';
  readonly sessions?: Range;
  /** Per session. */
  readonly transactions?: Range;
}

const SESSIONS: Range = { min: 2, max: 5 };
const TRANSACTIONS: Readonly<Record<WorkloadCaseOptions['mode'], Range>> = { stress: { min: 20, max: 40 }, schedule: { min: 1, max: 2 } };

export function workloadCase(
  seed: string,
  templates: WorkloadTemplates,
  { mode, sessions: wanted = SESSIONS, transactions = TRANSACTIONS[mode] }: WorkloadCaseOptions,
): TestCase {
  const random = createRandom(seed);
  const weights = Object.fromEntries(templates.transactions.map(({ weight }, n) => [String(n), weight]));
  let id = 0;
  let unique = templates.uniques;
  const sessions = Array.from({ length: random.int(wanted.min, wanted.max) }, (_, session): SessionPlan => {
    const stream = random.fork(`session ${session}`);
    const length = stream.int(transactions.min, transactions.max);
    return {
      transactions: Array.from({ length }, (_, n) => {
        const own = stream.fork(`transaction ${n}`);
        return transactionOf(own, templates.transactions[Number(own.weighted(weights))]!, ++id, () => unique++);
      }),
    };
  });
  const { schema } = templates;
  return mode === 'stress'
    ? { seed, schema, sessions }
    : { seed, schema, sessions, schedule: generateSchedule(random.fork('schedule'), sessions) };
}

function transactionOf(
  random: Random,
  { name, steps, rollback, autocommit }: TransactionTemplate,
  id: number,
  nextUnique: () => number,
): TxnPlan {
  const statements: Statement[] = [];
  const end = random.chance(rollback) ? 'rollback' : 'commit';
  run(random, steps, new Map(), nextUnique, statements);
  return { id, name, statements, end, autocommit };
}

function run(
  random: Random,
  steps: readonly StepTemplate[],
  outer: ReadonlyMap<string, BoundValue>,
  nextUnique: () => number,
  statements: Statement[],
): void {
  const drawn = new Map(outer);
  for (const step of steps) {
    if (step.kind === 'parameter')
      drawn.set(step.parameter.name, { type: step.parameter.type, value: step.parameter.draw(random, drawn, nextUnique) });
    else if (step.kind === 'statement') {
      if (statements.length === MOST_STATEMENTS)
        throw new UsageError(
          `a transaction of the workload file has more than ${MOST_STATEMENTS} statements, its @repeat included; expected fewer: lower the range of @repeat, or of the parameter that it counts by.`,
        );
      statements.push(bindStatement(step.statement, drawn));
    } else {
      const { times: wanted } = step;
      const times =
        'parameter' in wanted
          ? Math.min(MOST_STATEMENTS + 1, Number(drawn.get(wanted.parameter)?.value))
          : random.int(wanted.from, wanted.to);
      for (let n = 1; n <= times; n++)
        run(random, step.steps, new Map(drawn).set(step.counter, { type: 'integer', value: n }), nextUnique, statements);
    }
  }
}
