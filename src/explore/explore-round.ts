/**
 * One round of `run --instrument none` at one level. A generated case's fixture is made once. Its programs run on it
 * several times each from the case's rows, in random orders of their steps or at full speed. The oracles of explore judge
 * the outcomes: serial orders and single-run violations. If a program is too large for serial orders, or its results
 * prove nothing, only single-run violations are searched for, and the report says so.
 */
import { firstState } from '../../core/program/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Program, TestCase, TxnPlan } from '../../core/program/index.ts';
import type { NotCompared } from '../../core/verdict/index.ts';
import { casePrograms, caseFixture, programOf } from '../../schema-gen/index.ts';
import { aloneIn } from './alone.ts';
import { takesNewNumbers, whyNotCompared, withNewNumbers } from './comparable.ts';
import { differenceOf } from './difference.ts';
import { notRun, uselessness } from './explore-program.ts';
import type { ExploredProgram, Found } from './explore-program.ts';
import { mixedSnapshotsIn, NO_STATEMENTS } from './mixed-snapshots.ts';
import { withRunner } from './with-runner.ts';
import { races } from './race.ts';
import type { RacingRunner } from './race.ts';
import { sample } from './sample.ts';
import { Seen } from './seen.ts';
import type { ServerRunnerOptions } from './server-runner.ts';
import type { Played } from './play.ts';

/** Number of runs of each program. A fixture costs as much as dozens of them, and a program of two transactions has 20 orders. */
const RUNS = { schedule: 12, stress: 6 } as const;
/** More transactions have too many serial orders: four may need 64 runs of single ones. */
const MOST_JUDGED = 4;
/** A program's number contains its round. */
const PROGRAMS = 1_000;

export interface RoundPlan extends Omit<ServerRunnerOptions, 'fixtures'> {
  readonly round: number;
  readonly testCase: TestCase;
  readonly mode: 'schedule' | 'stress';
  readonly random: Random;
  /** Asked after each run: true ends the round early. */
  readonly enough: () => boolean;
}

export function roundOf(program: number): number {
  return Math.floor(program / PROGRAMS);
}

export async function exploreRound(plan: RoundPlan): Promise<readonly ExploredProgram[]> {
  const { round, testCase, dialect, enough, random } = plan;
  const { schema, programs } = casePrograms(testCase);
  const plain = caseFixture(`round ${round}`, schema, round % 2 === 1 && dialect.indexPlans !== undefined ? 'index' : false);
  return withRunner({ ...plan, fixtures: [plain] }, async (runner) => {
    const explored: ExploredProgram[] = [];
    // The first rows in the server's own words.
    await runner.load(programOf([], plain));
    const fixture = { ...plain, first: await runner.state() };
    const numbered = withNewNumbers(fixture);
    for (const [n, plans] of programs.slice(0, PROGRAMS).entries()) {
      if (enough()) break;
      const made = programOf(plans, fixture, { number: round * PROGRAMS + n });
      const program = takesNewNumbers(made) ? { ...made, fixture: numbered } : made;
      const unjudged = whyUnjudged(plans, program);
      explored.push(
        await exploreOne(runner, program, { ...plan, random: random.fork(String(n)), ...(unjudged !== undefined && { unjudged }) }),
      );
    }
    return explored;
  });
}

function whyUnjudged(plans: readonly TxnPlan[], program: Program): NotCompared | undefined {
  return plans.length > MOST_JUDGED ? { code: 'many-ran-together', most: MOST_JUDGED } : whyNotCompared(program);
}

interface One extends Pick<RoundPlan, 'mode' | 'random' | 'enough'> {
  readonly unjudged?: NotCompared;
}

async function exploreOne(runner: RacingRunner, program: Program, { mode, random, enough, unjudged }: One): Promise<ExploredProgram> {
  const from = firstState(program.fixture);
  await runner.load(program);
  const alone = aloneIn(runner, program);
  const dropped = unjudged === undefined ? await uselessness(program, alone) : undefined;
  if (dropped !== undefined) return { ...notRun(program), dropped };
  const seen = new Seen(runner, program);
  const each = async (played: Played): Promise<boolean> => {
    await seen.add(played);
    return !enough();
  };
  const ran =
    mode === 'stress'
      ? await races(runner, program, from, RUNS.stress, each)
      : await sample(runner, program, from, { count: RUNS.schedule, random }, each);
  const found: Found[] = [];
  if (unjudged === undefined)
    for (const played of seen.outcomes.values()) {
      const difference = await differenceOf(played, from, alone, program);
      if (difference !== undefined) found.push({ difference, played, breaks: [] });
    }
  const { mixedSnapshots, statements } =
    unjudged === undefined ? await mixedSnapshotsIn(runner, program, found, ran.orders) : { mixedSnapshots: [], statements: NO_STATEMENTS };
  for (const { violation, played } of mixedSnapshots) seen.violated([violation], played);
  return {
    ...notRun(program),
    ...ran,
    sampled: true,
    outcomes: seen.outcomes.size,
    found,
    violations: seen.violations,
    statements,
    ...(unjudged !== undefined && { unjudged }),
  };
}
