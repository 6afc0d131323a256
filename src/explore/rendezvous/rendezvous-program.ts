/**
 * Explores one program by racing it (`explore --rendezvous`). Steps of whole statements cannot show a race inside a
 * statement. So all sessions are released together, round after round, and the oracles judge each new outcome. An outcome
 * that an order of whole statements gives too is shown in that order, which can be repeated step by step.
 */
import { permutations } from '../../../core/base/index.ts';
import { firstState } from '../../../core/program/index.ts';
import type { Program } from '../../../core/program/index.ts';
import { aloneIn } from '../alone.ts';
import type { Alone } from '../alone.ts';
import { differenceOf } from '../difference.ts';
import { failuresInTurn, notRun, uselessness } from '../explore-program.ts';
import type { ExploreOptions, ExploredProgram, Found } from '../explore-program.ts';
import type { LevelPlan } from '../level-plan.ts';
import { NO_STATEMENTS, statementsOf } from '../mixed-snapshots.ts';
import type { StatementCounts } from '../mixed-snapshots.ts';
import { countOrders } from '../orders.ts';
import { outcomeKey } from '../outcome.ts';
import { invariantsOf } from '../oracles/invariants.ts';
import type { Invariants } from '../oracles/invariants.ts';
import type { Played } from '../play.ts';
import type { RacingRunner } from '../race.ts';
import { Seen } from '../seen.ts';
import { serialRound } from './race-round.ts';
import { racedStatements } from './raced-statements.ts';
import { Racer } from './racer.ts';
import { stepOutcomes } from './step-outcomes.ts';

/** Runs of each serial order in the control. */
const SERIAL_ROUNDS = 20;
const COUNT_UP_TO = 1_000_000_000;
const MOST_SEED = 2 ** 31 - 1;

interface RendezvousOptions extends Pick<ExploreOptions, 'random' | 'enough'> {
  /** A number: so many rounds. `serial`: a control, the transactions one after the other by the same code. */
  readonly orders: ExploreOptions['orders'];
  /** A program is raced until so many rounds in a row showed no new outcome. */
  readonly quiet: number;
  /** The most rounds of a program. */
  readonly most: number;
}

/** The catalogue has many programs, and a user's file has few. */
const OF_CATALOGUE = { quiet: 60, most: 600 };
const OF_FILE = { quiet: 400, most: 4_000 };

/** Returns the exploration of one program by races, for `LevelPlan.exploreOne`. */
export function rendezvousOf(aFile: boolean): NonNullable<LevelPlan['exploreOne']> {
  return (runner, program, options) => rendezvousProgram(runner, program, { ...options, ...(aFile ? OF_FILE : OF_CATALOGUE) });
}

async function rendezvousProgram(runner: RacingRunner, program: Program, options: RendezvousOptions): Promise<ExploredProgram> {
  await runner.load(program);
  const alone = aloneIn(runner, program);
  const possible = countOrders(program, COUNT_UP_TO);
  const dropped = await uselessness(program, alone);
  if (dropped !== undefined) return { ...notRun(program), possible, sampled: true, dropped };
  const seen = new Seen(runner, program);
  const rounds =
    options.orders === 'serial' ? await serialRounds(runner, program, seen, options) : await raced(runner, program, seen, options);
  const invariants = await invariantsOf(runner, program, alone);
  const judged = await judgedOutcomes(runner, program, { seen, alone, invariants, enough: options.enough ?? (() => false) });
  return {
    ...notRun(program),
    orders: rounds,
    possible,
    sampled: true,
    outcomes: seen.outcomes.size,
    ...judged,
    violations: seen.violations,
    own: invariants.own,
    failed: invariants.failed,
    failedInTurn: await failuresInTurn(program, alone),
  };
}

/** Races as long as outcomes are new. Returns the number of rounds. */
async function raced(runner: RacingRunner, program: Program, seen: Seen, options: RendezvousOptions): Promise<number> {
  const { orders, random, enough = () => false } = options;
  const exact = typeof orders === 'number' ? orders : undefined;
  const racer = new Racer(runner, program, random.fork(String(program.number)).int(0, MOST_SEED));
  let rounds = 0;
  for (let quiet = 0; exact === undefined ? quiet < options.quiet && rounds < options.most : rounds < exact; rounds++) {
    if (rounds > 0 && enough()) break;
    const before = seen.outcomes.size;
    await seen.add(await racer.next());
    quiet = seen.outcomes.size > before ? 0 : quiet + 1;
  }
  return rounds;
}

async function serialRounds(runner: RacingRunner, program: Program, seen: Seen, options: RendezvousOptions): Promise<number> {
  const { enough = () => false } = options;
  let rounds = 0;
  for (const order of permutations(program.transactions.map((_, session) => session)))
    for (let time = 0; time < SERIAL_ROUNDS && !(rounds > 0 && enough()); time++) {
      await runner.reset(firstState(program.fixture));
      const round = await serialRound(runner, program, order);
      await seen.add(round.played(await runner.state()));
      rounds++;
    }
  return rounds;
}

interface Judging {
  readonly seen: Seen;
  readonly alone: Alone;
  readonly invariants: Invariants;
  readonly enough: () => boolean;
}

type JudgedOutcomes = Pick<ExploredProgram, 'found' | 'statements' | 'inside'>;

async function judgedOutcomes(
  runner: RacingRunner,
  program: Program,
  { seen, alone, invariants, enough }: Judging,
): Promise<JudgedOutcomes> {
  const from = firstState(program.fixture);
  const unexplained: Played[] = [];
  for (const played of seen.outcomes.values())
    if ((await differenceOf(played, from, alone, program)) !== undefined) unexplained.push(played);
  if (unexplained.length === 0) return { found: [], statements: NO_STATEMENTS, inside: 0 };
  const steps = await stepOutcomes(runner, program, unexplained, enough);
  const found: Found[] = [];
  const statements: { readonly statements: StatementCounts }[] = [];
  for (const played of unexplained) {
    const stepped = steps.runOf(outcomeKey(played.outcome));
    const shown = stepped ?? played;
    const difference = await differenceOf(shown, from, alone, program);
    found.push({ difference: difference!, played: shown, breaks: await invariants.broken(shown.outcome.state) });
    if (stepped !== undefined) continue;
    const { violations, ...counts } = racedStatements(program, played, steps);
    seen.violated(violations, played);
    statements.push({ statements: counts });
  }
  const inside = steps.whole ? found.filter(({ played }) => played.raced !== undefined).length : 0;
  return { found, statements: statementsOf(statements), inside };
}
