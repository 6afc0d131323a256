/**
 * An exploration of one level: workers take programs from the catalogue, each in a fixture of its own; what the oracles find
 * is confirmed in a fresh fixture, first of each family, and added up. What is reported depends on the seed alone, as far as
 * the server repeats itself: programs are added up in their order, whoever ran them.
 */
import type { DatabaseError, Program } from '../../core/index.ts';
import type { ExploreLevel } from '../../reports/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import { counted } from './counted.ts';
import { exploreProgram } from './explore-program.ts';
import type { ExploredProgram } from './explore-program.ts';
import { familiesOf } from './families.ts';
import { statementsOf } from './mixed-snapshots.ts';
import { dependenciesOf } from './hidden-families.ts';
import { inArena } from './in-arena.ts';
import type { LevelPlan } from './level-plan.ts';
import { askDependencies } from './oracles/dependencies.ts';
import type { Played } from './play.ts';
import type { Source } from './source.ts';
import { withProbes } from './probes.ts';
import { togetherOf } from './together.ts';

/** Programs of more orders are sampled, and so many are drawn of each. */
const MOST_ORDERS = 400;
const SAMPLES = 60;
/** Of a user's own: what would be too many is tried first, as waits may leave few of them. */
const TRIED_OF_FILE = 400;

export async function exploreLevel(plan: LevelPlan): Promise<ExploreLevel> {
  return (await exploredLevel(plan)).report;
}

/** The report of a level, and the programs that it was made of. */
export interface ExploredLevel {
  readonly report: ExploreLevel;
  readonly explored: readonly ExploredProgram[];
}

export async function exploredLevel(plan: LevelPlan): Promise<ExploredLevel> {
  const started = performance.now();
  const ran = await runPrograms(plan);
  return { report: await reportOf(plan, ran, started), explored: ran.explored };
}

async function reportOf(plan: LevelPlan, { explored, stopped }: RanPrograms, started: number): Promise<ExploreLevel> {
  const { families, unconfirmed, untried, untriedNames, lost } = await familiesOf(plan, explored);
  const stoppedBy = stopped ?? lost;
  const sum = (of: (each: ExploredProgram) => number): number => explored.reduce((total, each) => total + of(each), 0);
  const ran = explored.filter(({ dropped }) => dropped === undefined);
  return {
    level: plan.level.level,
    inForce: plan.level.inForce,
    programs: ran.length,
    whole: ran.filter(({ whole }) => whole).length,
    sampled: ran.filter(({ sampled }) => sampled).length,
    ...(plan.orders === 'serial' && { control: true as const }),
    orders: sum(({ orders }) => orders),
    cut: sum(({ cut }) => cut),
    seconds: (performance.now() - started) / 1000,
    outcomes: sum(({ outcomes }) => outcomes),
    dropped: counted(explored.flatMap(({ dropped }) => (dropped === undefined ? [] : [dropped]))),
    coverage: coverageOf(plan.source),
    statements: statementsOf(explored),
    dependencies: dependenciesOf(explored),
    unconfirmed,
    untried,
    families,
    ...(plan.source.together && { together: togetherOf(plan.source.together, explored, families, untriedNames) }),
    ...(stoppedBy !== undefined && { stopped: stoppedBy }),
  };
}

function coverageOf(source: Source): ExploreLevel['coverage'] {
  const which = source.coveredPairs?.();
  return { ...source.coverage(), ...(which !== undefined && { which: Buffer.from(which).toString('base64') }) };
}

export interface RanPrograms {
  /** They stand in the order of their numbers. */
  readonly explored: readonly ExploredProgram[];
  /** The server failed in the middle: what was seen until then counts. */
  readonly stopped?: string;
}

/** The programs of a level, judged, and nothing of them tried again. */
export async function runPrograms(plan: LevelPlan): Promise<RanPrograms> {
  const { source, workers } = plan;
  const explored: ExploredProgram[] = [];
  const sums = { programs: 0, orders: 0, found: 0 };
  let taken = 0;
  let failed = false;
  const over = (): boolean => failed || plan.enough(taken);
  const worker = async (w: number): Promise<void> => {
    await inArena({ ...plan, namespace: `${plan.namespace}_${w}`, fixtures: source.allFixtures }, async (arena) => {
      await withProbes(plan, async (probes) => {
        for (;;) {
          const program = over() ? undefined : source.next();
          if (program === undefined) return;
          taken++;
          const one = await exploreProgram(arena, program, {
            orders: plan.orders,
            most: MOST_ORDERS,
            samples: SAMPLES,
            tries: source.together === undefined ? 0 : TRIED_OF_FILE,
            random: plan.random,
            beginsCommute: plan.dialect.closerIsVictim === true,
            enough: () => failed || plan.enough(0),
            // Of a user's own transactions what counts is what they are told and what they leave.
            ...(source.together === undefined && {
              ask: (asked: Program, played: Played) => askDependencies(probes, asked, played, plan.judge),
            }),
          });
          explored.push(one);
          plan.ended?.(one);
          sums.programs++;
          sums.orders += one.orders;
          sums.found += one.found.length;
          plan.heard(sums);
        }
      });
    });
  };
  const ends = await Promise.allSettled(
    Array.from({ length: workers }, (_, w) => worker(w).catch((error: unknown) => ((failed = true), Promise.reject(error)))),
  );
  const end = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  explored.sort((a, b) => a.program.number - b.program.number);
  if (end === undefined) return { explored };
  const failure = serverFailure(plan.dialect, end.reason);
  if (failure === undefined || explored.length === 0) throw failure ?? end.reason;
  return { explored, stopped: whyStopped(plan, failure) };
}

/** A constraint that the rows of a program break is no failure of the server: statements of a program are answered with their errors. */
function whyStopped({ dialect, namespace }: LevelPlan, failure: DatabaseError): string {
  if (dialect.classifyError(failure.cause ?? failure).class === 'constraint')
    return `the rows that a program begins with are refused: ${failure.message}`;
  return `the server failed while programs ran: ${failure.message}; a schema ${namespace}_... may be left on it`;
}
