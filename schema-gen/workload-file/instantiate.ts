/**
 * Makes a test case from a workload file's templates and a seed: the transactions of each session, by their weights,
 * and their values. Each transaction has a stream of its own, so that one more or less leaves the others as they are.
 */
import { UsageError, bindStatement, namesBound, writtenBy } from '../../core/index.ts';
import type { BoundValue, Random, SessionPlan, Statement, TestCase, TxnPlan, Value } from '../../core/index.ts';
import type { Range } from '../relational/options.ts';
import { createRandom } from '../prng.ts';
import { generateSchedule } from '../schedule.ts';
import { drawnParameters } from './drawn-parameter.ts';
import { MOST_STATEMENTS } from './limits.ts';
import { literalText } from './literal-text.ts';
import type { StepTemplate, TransactionTemplate, WorkloadTemplates } from './import.ts';
import type { Parameter } from './parameter.ts';
import { withValues } from './text.ts';

export interface WorkloadCaseOptions {
  readonly mode: 'stress' | 'schedule';
  readonly sessions?: Range;
  /** The number of transactions per session. */
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
  const authored: BoundStatement[] = [];
  const sessions = Array.from({ length: random.int(wanted.min, wanted.max) }, (_, session): SessionPlan => {
    const stream = random.fork(`session ${session}`);
    const length = stream.int(transactions.min, transactions.max);
    return {
      transactions: Array.from({ length }, (_, n) => {
        const own = stream.fork(`transaction ${n}`);
        const template = templates.transactions[Number(own.weighted(weights))]!;
        const first = transactionOf(own, template, ++id, () => unique++, authored);
        // A retry has the values of the first attempt, as an application tries again.
        return [first, ...Array.from({ length: template.retries }, (): TxnPlan => ({ ...first, retryOf: id, id: ++id }))];
      }).flat(),
    };
  });
  const { schema } = templates;
  const written = writtenBy(authored);
  return mode === 'stress'
    ? { seed, schema, sessions, written }
    : { seed, schema, sessions, schedule: generateSchedule(random.fork('schedule'), sessions), written };
}

function transactionOf(
  random: Random,
  { name, steps, rollback, autocommit }: TransactionTemplate,
  id: number,
  nextUnique: () => number,
  authored: BoundStatement[],
): TxnPlan {
  const end = random.chance(rollback) ? 'rollback' : 'commit';
  const statements = boundStatements(steps, {
    value: (parameter, drawn) => parameter.draw(random, drawn, nextUnique),
    times: (from, to) => random.int(from, to),
  });
  authored.push(...statements);
  return { id, name, statements: statements.map(({ statement }) => statement), end, autocommit };
}

/** Draws a parameter's value, and how often a @repeat runs. */
export interface Draws {
  value(parameter: Parameter, drawn: ReadonlyMap<string, BoundValue>): Value;
  times(from: number, to: number): number;
}

export interface BoundStatement {
  readonly statement: Statement;
  /** The author's text with the values. It is absent if it cannot be put on one line. */
  readonly written?: string;
}

/** Returns a transaction's statements with a value for each parameter, its repeats unrolled. */
export function boundStatements(steps: readonly StepTemplate[], draws: Draws): readonly BoundStatement[] {
  const statements: BoundStatement[] = [];
  run(steps, { drawn: new Map(), later: new Set(), draws, statements });
  return statements;
}

interface Running {
  readonly drawn: ReadonlyMap<string, BoundValue>;
  /** The names that are read. */
  readonly later: Set<string>;
  readonly draws: Draws;
  readonly statements: BoundStatement[];
}

function run(steps: readonly StepTemplate[], running: Running): void {
  const { drawn: outer, later, draws, statements } = running;
  const drawn = new Map(outer);
  for (const step of steps) {
    if (step.kind === 'parameter') drawn.set(step.parameter.name, { type: step.parameter.type, value: draws.value(step.parameter, drawn) });
    else if (step.kind === 'statement') {
      if (statements.length === MOST_STATEMENTS)
        throw new UsageError(
          `a transaction of the workload file has more than ${MOST_STATEMENTS} statements, its @repeat included; expected fewer: lower the range of @repeat, or of the parameter that it counts by.`,
        );
      statements.push(boundStatement(step, drawn, later));
      for (const name of namesBound(step.statement)) later.add(name);
    } else {
      const { times: wanted } = step;
      const times =
        'parameter' in wanted
          ? Math.min(MOST_STATEMENTS + 1, Number(drawn.get(wanted.parameter)?.value))
          : draws.times(wanted.from, wanted.to);
      for (let n = 1; n <= times; n++)
        run(step.steps, { ...running, drawn: new Map(drawn).set(step.counter, { type: 'integer', value: n }) });
    }
  }
}

function boundStatement(
  { statement, text }: Extract<StepTemplate, { kind: 'statement' }>,
  drawn: ReadonlyMap<string, BoundValue>,
  later: ReadonlySet<string>,
): BoundStatement {
  const textOf = (name: string): string => {
    const value = drawn.get(name);
    return value === undefined ? `:${name}` : literalText(value);
  };
  // A value that the server would make anew each time is fixed here, and the author's text does not show it.
  const written = drawnParameters(statement).length > 0 ? undefined : withValues(text, textOf);
  // A stop belongs to the statement before it, and may decide by that statement's result.
  const known = new Set([...later, ...namesBound(statement)]);
  return { statement: bindStatement(statement, drawn, known), ...(written !== undefined && { written }) };
}
