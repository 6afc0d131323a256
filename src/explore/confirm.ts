/**
 * A difference again, in a world made anew by other sessions, each transaction asked for the level in force: k of N runs in
 * the order that showed it. What the serial orders answer is not put together from single transactions there but run, one
 * after the other, twice; where the two differ the server does not repeat itself, and nothing is said.
 */
import { firstState } from '../../core/index.ts';
import type { Program } from '../../core/index.ts';
import { aloneIn } from './alone.ts';
import type { Arena } from './arena.ts';
import { differenceOf } from './difference.ts';
import type { DifferenceKind } from './difference.ts';
import { outcomeKey } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { committedIn, isAnswer, permutations } from './oracles/serial.ts';
import type { SerialAnswer } from './oracles/serial.ts';
import { again, oneByOne, play } from './play.ts';
import type { Played } from './play.ts';

export interface Confirmed {
  /** Runs that showed the difference, of all. */
  readonly times: number;
  readonly of: number;
  /** The first of these. */
  readonly played?: Played;
  /** What each order of the transactions that committed in it answers. */
  readonly answers: readonly SerialAnswer[];
  /** Why it is not compared. */
  readonly unstable?: string;
}

const CONFIRMATIONS = 5;

export async function confirm(
  arena: Arena,
  program: Program,
  choices: readonly number[],
  kind: DifferenceKind,
  of: number = CONFIRMATIONS,
): Promise<Confirmed> {
  const from = firstState(program.world);
  await arena.load(program);
  const alone = aloneIn(arena, program);
  const known = new Map<string, readonly SerialAnswer[] | undefined>();
  let times = 0;
  let first: { readonly played: Played; readonly answers: readonly SerialAnswer[] } | undefined;
  for (let i = 0; i < of; i++) {
    const played = (await play(arena, program, from, again(choices)))!;
    const committed = committedIn(played.outcome);
    if (!known.has(committed.join())) known.set(committed.join(), await serialRuns(arena, program, committed));
    const answers = known.get(committed.join());
    if (answers === undefined)
      return { times: 0, of, answers: [], unstable: 'a serial order of its transactions does not answer alike twice' };
    if (answers.some((answer) => isAnswer(played.outcome, answer)) || (await differenceOf(played.outcome, from, alone))?.kind !== kind)
      continue;
    times++;
    first ??= { played, answers };
  }
  return { times, of, answers: first?.answers ?? [], ...(first && { played: first.played }) };
}

/** Every order of these sessions, run; undefined: one of them differs from itself. */
async function serialRuns(arena: Arena, program: Program, sessions: readonly number[]): Promise<readonly SerialAnswer[] | undefined> {
  const answers: SerialAnswer[] = [];
  for (const order of permutations(sessions)) {
    const runs: Outcome[] = [];
    for (let i = 0; i < 2; i++)
      runs.push((await play(arena, program, firstState(program.world), oneByOne(order), { only: order }))!.outcome);
    const [one, two] = runs;
    if (outcomeKey(one!) !== outcomeKey(two!)) return undefined;
    answers.push({ order, results: order.map((session) => one!.transactions[session]!), state: one!.state });
  }
  return answers;
}
