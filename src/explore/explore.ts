/**
 * One exploration of a level. Workers take programs from the catalogue, each in a fixture of its own. The oracles'
 * findings are confirmed in a fresh fixture, one of each family, and added up. The report depends on the seed alone, as
 * far as the server repeats itself: programs are added up in their own order, whichever worker ran them.
 */
import type { DatabaseError } from '../../core/base/index.ts';
import type { Program } from '../../core/program/index.ts';
import { statementCounts } from '../../reports/index.ts';
import type { ExploreLevel } from '../../reports/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import { ConfirmedAhead } from './confirmed-ahead.ts';
import { counted } from './counted.ts';
import { exploreProgram } from './explore-program.ts';
import type { ExploredProgram } from './explore-program.ts';
import { familiesOf } from './families.ts';
import { statementsOf } from './mixed-snapshots.ts';
import { dependenciesOf } from './hidden-families.ts';
import { withRunner } from './with-runner.ts';
import type { LevelPlan } from './level-plan.ts';
import { askDependencies } from './oracles/dependencies.ts';
import type { Played } from './play.ts';
import type { Source } from './source.ts';
import { withProbes } from './probes.ts';
import { explorePair, KnownAlone } from './pair-matrix/explore-pair.ts';
import { PairWork } from './pair-matrix/pair-work.ts';
import { togetherOf } from './together.ts';

/** Programs with more orders are sampled, with this number of samples. */
const MOST_ORDERS = 400;
const SAMPLES = 60;
/** A user's own program with too many orders is tried first, because few may be left if sessions wait. */
const TRIED_OF_FILE = 400;

export async function exploreLevel(plan: LevelPlan): Promise<ExploreLevel> {
  return (await exploredLevel(plan)).report;
}

/** The report of a level, and the programs from which it was made. */
export interface ExploredLevel {
  readonly report: ExploreLevel;
  readonly explored: readonly ExploredProgram[];
}

export async function exploredLevel(plan: LevelPlan): Promise<ExploredLevel> {
  const started = performance.now();
  const ahead = plan.told && new ConfirmedAhead(plan, plan.told);
  const ended = (one: ExploredProgram): void => (plan.ended?.(one), ahead?.add(one));
  let ran: RanPrograms;
  try {
    ran = await runPrograms({ ...plan, ended });
  } finally {
    await ahead?.end();
  }
  return { report: await reportOf(plan, ran, { started, ahead }), explored: ran.explored };
}

interface Before {
  readonly started: number;
  readonly ahead: ConfirmedAhead | undefined;
}

async function reportOf(plan: LevelPlan, { explored, stopped, pairs }: RanPrograms, { started, ahead }: Before): Promise<ExploreLevel> {
  const { families, unconfirmed, untried, untriedNames, lost } = await familiesOf(plan, [...(pairs?.found ?? []), ...explored], ahead);
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
    ...(plan.exploreOne && { raced: { inside: sum(({ inside = 0 }) => inside) } }),
    orders: sum(({ orders }) => orders),
    cut: sum(({ cut }) => cut),
    seconds: (performance.now() - started) / 1000,
    outcomes: sum(({ outcomes }) => outcomes),
    dropped: counted(explored.flatMap(({ dropped }) => (dropped === undefined ? [] : [dropped]))),
    coverage: coverageOf(plan.source),
    ...(pairs && { pairMatrix: pairs.report() }),
    statements: statementCounts(statementsOf([...(pairs?.found ?? []), ...explored])),
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
  /** They are in the order of their numbers. */
  readonly explored: readonly ExploredProgram[];
  readonly pairs?: PairWork | undefined;
  /** The reason if the server failed on the way. The results until then count. */
  readonly stopped?: string;
}

/** Runs and judges the programs of a level. No finding is tried again yet. */
export async function runPrograms(plan: LevelPlan): Promise<RanPrograms> {
  const { source, workers } = plan;
  const explored: ExploredProgram[] = [];
  const sums = { programs: 0, orders: 0, found: 0 };
  let taken = 0;
  let failed = false;
  const over = (): boolean => failed || plan.enough(taken);
  const pairs = plan.pairs && new PairWork({ ...plan.pairs, enough: () => failed || plan.pairs!.enough(), shown: plan.ended });
  const fixtures = [...source.allFixtures, ...(plan.pairs?.matrix.sites.map(({ row }) => row.fixture) ?? [])];
  const worker = async (w: number): Promise<void> => {
    await withRunner({ ...plan, namespace: `${plan.namespace}_${w}`, fixtures, lazily: true }, async (runner) => {
      await pairs?.by(runner);
      await withProbes(plan, async (probes) => {
        for (;;) {
          const program = over() ? undefined : source.next();
          if (program === undefined) return;
          taken++;
          const one =
            program.telling !== undefined
              ? await explorePair(runner, program, new KnownAlone())
              : await (plan.exploreOne ?? exploreProgram)(runner, program, {
                  orders: plan.orders,
                  most: MOST_ORDERS,
                  samples: SAMPLES,
                  tries: source.together === undefined ? 0 : TRIED_OF_FILE,
                  random: plan.random,
                  beginsCommute: plan.dialect.closerIsVictim === true,
                  enough: () => failed || plan.enough(0),
                  // For a user's own transactions, only replies and final rows count.
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
  if (end === undefined) return { explored, pairs };
  const failure = serverFailure(plan.dialect, end.reason);
  if (failure === undefined || explored.length + (pairs?.found.length ?? 0) === 0) throw failure ?? end.reason;
  return { explored, pairs, stopped: whyStopped(plan, failure) };
}

/** A program whose rows break a constraint is no failure of the server: its statements are answered with errors. */
function whyStopped({ dialect, namespace }: LevelPlan, failure: DatabaseError): string {
  if (dialect.classifyError(failure.cause ?? failure).class === 'constraint')
    return `the rows that a program begins with are refused: ${failure.message}`;
  return `the server failed while programs ran: ${failure.message}; a schema ${namespace}_... may be left on it`;
}
