/** Explores one program: its orders are enumerated, or sampled if there are too many. The oracles judge each new outcome. */
import { firstState } from '../../core/program/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { NotCompared } from '../../core/verdict/index.ts';
import { aloneIn } from './alone.ts';
import type { Alone } from './alone.ts';
import type { ProgramRunner } from './program-runner.ts';
import type { FoundViolation } from './single-run-violation.ts';
import { differenceOf } from './difference.ts';
import type { Difference } from './difference.ts';
import { hasTurn, mostInterleaved } from './oracles/dependencies.ts';
import type { AskDependencies, Asked } from './oracles/dependencies.ts';
import { invariantsOf } from './oracles/invariants.ts';
import type { OwnBreak } from './oracles/invariants.ts';
import { serialAnswers } from './oracles/serial.ts';
import { enumerate } from './enumerate.ts';
import type { Each, Enumerated } from './enumerate.ts';
import { NONE, independence } from './independent.ts';
import { NO_STATEMENTS, mixedSnapshotsIn } from './mixed-snapshots.ts';
import type { StatementCounts } from './mixed-snapshots.ts';
import { countOrders } from './orders.ts';
import type { TxnResult } from './outcome.ts';
import type { Played } from './play.ts';
import { sample } from './sample.ts';
import { Seen } from './seen.ts';
import { serialOrders } from './serial-orders.ts';

/**
 * `pruned`: all orders that differ in more than steps that commute. `all`: every order. `serial`: one transaction after
 * the other. A number: so many random orders of each program.
 */
export type Orders = 'pruned' | 'all' | 'serial' | number;

export interface ExploreOptions {
  readonly orders: Orders;
  /** Programs with more orders than this are sampled. */
  readonly most: number;
  /** Number of samples of a program that has too many orders. */
  readonly samples: number;
  /** Number of enumerated runs before sampling. Default: none. */
  readonly tries?: number;
  readonly random: Random;
  /** The order in which transactions begin changes nothing (independent.ts). */
  readonly beginsCommute: boolean;
  /** Asked after each run: true ends the program early. */
  readonly enough?: () => boolean;
  /** Asks for the dependencies of an order that a serial order explains; absent: they are not asked for. */
  readonly ask?: AskDependencies;
}

export interface Found {
  readonly difference: Difference;
  readonly played: Played;
  /** Names of invariants that it breaks and no serial order does. */
  readonly breaks: readonly string[];
}

export interface ExploredProgram {
  readonly program: Program;
  /** Number of runs that came to their end. */
  readonly orders: number;
  readonly cut: number;
  /** Number of orders if nothing waits or fails. */
  readonly possible: number;
  /** Every order was run, except those that differ only in steps that commute. */
  readonly whole: boolean;
  readonly sampled: boolean;
  readonly outcomes: number;
  readonly found: readonly Found[];
  readonly violations: readonly FoundViolation[];
  readonly statements: StatementCounts;
  /** Absent: the program was not selected, or no two of its transactions committed in an outcome that a serial order explains. */
  readonly asked?: Asked;
  /** Number of orders in which a transaction was begun again; absent: none. */
  readonly triedAgain?: number;
  /** Its sessions raced: the number of outcomes that no order of whole statements gives, if all of them were run. Absent: they did not race. */
  readonly inside?: number;
  /** Invariants that its transactions break serially. */
  readonly own: readonly OwnBreak[];
  /** The reason why the server could not say whether an invariant holds. */
  readonly failed: ReadonlyMap<string, string>;
  /** Number of transactions, over all serial orders, that do not commit as planned or have a failed statement. */
  readonly failedInTurn: number;
  /** The reason why it was dropped before its orders were run. */
  readonly dropped?: string;
  /** The reason why its outcomes were not compared with serial orders. Single-run violations were searched for all the same. */
  readonly unjudged?: NotCompared;
}

const NOTHING: Enumerated = { orders: 0, cut: 0, whole: false };
const COUNT_UP_TO = 1_000_000_000;

export async function exploreProgram(runner: ProgramRunner, program: Program, options: ExploreOptions): Promise<ExploredProgram> {
  const { orders, most, enough = () => false, ask } = options;
  const from = firstState(program.fixture);
  const possible = countOrders(program, COUNT_UP_TO);
  const sampled = typeof orders === 'number' || (orders === 'pruned' && possible > most);
  await runner.load(program);
  const alone = aloneIn(runner, program);
  const dropped = await uselessness(program, alone);
  if (dropped !== undefined) return { ...notRun(program), possible, sampled, dropped };
  const seen = new Seen(runner, program);
  let triedAgain = 0;
  const each = async (played: Played): Promise<boolean> => {
    if (played.begunAgain !== undefined) triedAgain++;
    await seen.add(played);
    return !enough();
  };
  const ran =
    orders === 'serial'
      ? { ...(await serialOrders(runner, program, from, each)), sampled: false }
      : await anyOrders(runner, program, from, { ...options, orders, sampled }, each);
  const invariants = await invariantsOf(runner, program, alone);
  const found: Found[] = [];
  const explained: Played[] = [];
  for (const played of seen.outcomes.values()) {
    const difference = await differenceOf(played, from, alone, program);
    if (difference === undefined) explained.push(played);
    else found.push({ difference, played, breaks: await invariants.broken(played.outcome.state) });
  }
  const { mixedSnapshots, statements } = await mixedSnapshotsIn(runner, program, found, ran.orders);
  for (const { violation, played } of mixedSnapshots) seen.violated([violation], played);
  const { own, failed } = invariants;
  const probed = ask !== undefined && hasTurn(program) && !enough() ? mostInterleaved(explained) : undefined;
  const asked = probed === undefined ? undefined : await ask!(program, probed);
  const { outcomes, violations } = seen;
  const failedInTurn = await failuresInTurn(program, alone);
  return {
    program,
    ...ran,
    possible,
    outcomes: outcomes.size,
    found,
    violations,
    statements,
    own,
    failed,
    failedInTurn,
    ...(triedAgain > 0 && { triedAgain }),
    ...(asked && { asked }),
  };
}

/** Returns the result of a program that was dropped. */
export function notRun(program: Program): ExploredProgram {
  return {
    program,
    ...NOTHING,
    possible: 0,
    sampled: false,
    outcomes: 0,
    found: [],
    violations: [],
    statements: NO_STATEMENTS,
    own: [],
    failed: new Map(),
    failedInTurn: 0,
  };
}

interface AnyOrders extends ExploreOptions {
  readonly orders: Exclude<Orders, 'serial'>;
  readonly sampled: boolean;
}

async function anyOrders(
  runner: ProgramRunner,
  program: Program,
  from: FixtureState,
  { orders, sampled, samples, tries = 0, random, beginsCommute, enough = () => false }: AnyOrders,
  each: Each,
): Promise<Enumerated & { readonly sampled: boolean }> {
  const pruning = orders === 'all' ? NONE : independence(program, { beginsCommute });
  const drawn = { count: typeof orders === 'number' ? orders : samples, random: random.fork(String(program.number)) };
  // If sessions wait, few of many possible orders may be left.
  const tried =
    !sampled || (orders === 'pruned' && tries > 0)
      ? await enumerate(runner, program, from, pruning, sampled ? upTo(tries, each) : each)
      : NOTHING;
  const rest = sampled && !tried.whole && !enough() ? await sample(runner, program, from, drawn, each) : NOTHING;
  return { orders: tried.orders + rest.orders, cut: tried.cut + rest.cut, whole: tried.whole, sampled: sampled && !tried.whole };
}

function upTo(most: number, each: Each): Each {
  let left = most;
  return async (played) => (await each(played)) && --left > 0;
}

export async function failuresInTurn({ fixture, transactions }: Program, alone: Alone): Promise<number> {
  const answers = await serialAnswers([...transactions.keys()], firstState(fixture), alone);
  const fails = ({ end, replies }: TxnResult, session: number): boolean =>
    (end !== 'committed' && transactions[session]!.end === 'commit') || replies.some(({ error }) => error !== undefined);
  return answers.reduce((sum, { order, results }) => sum + results.filter((result, i) => fails(result, order[i]!)).length, 0);
}

/**
 * Returns the reason why a program shows nothing: the server refuses a statement, or no two transactions come to their
 * end in any serial order.
 */
export async function uselessness({ fixture, transactions }: Program, alone: Alone): Promise<string | undefined> {
  const from = firstState(fixture);
  const succeeds = ({ end }: TxnResult, session: number): boolean => end === 'committed' || transactions[session]!.end === 'rollback';
  let succeed = 0;
  let stopped = 0;
  for (const session of transactions.keys()) {
    const { result } = await alone(session, from);
    const refused = result.replies.find(({ error }) => error?.class === 'syntax');
    if (refused !== undefined) return `the server refuses a statement: ${refused.error!.message}`;
    if (succeeds(result, session)) succeed++;
    else if (result.replies.at(-1)?.stops !== undefined) stopped++;
  }
  if (succeed >= 2) return undefined;
  // One transaction may enable another: a parent can be deleted after its child.
  const answers = await serialAnswers([...transactions.keys()], from, alone);
  const most = Math.max(...answers.map(({ order, results }) => results.filter((result, i) => succeeds(result, order[i]!)).length));
  if (most >= 2) return undefined;
  return stopped > 0 ? 'its transactions end by an IF, or fail, even alone' : 'its transactions fail even alone';
}
