/**
 * Confirms a difference in a new fixture with other sessions: k of N runs in the order that showed it. Each transaction
 * checks the level in force. A race is raced again instead, within a bound of rounds. The serial orders are not composed of single transactions here but run, twice each. If two
 * runs of one order differ, the server does not repeat itself, and there is no answer.
 *
 * A serial order that is run may itself give the difference: the second transaction did not see the first. The server may
 * be wrong (a read from an old snapshot) or right (a counter that no reset takes back), so the case is reported
 * separately.
 */
import { firstState } from '../../core/program/index.ts';
import type { Program } from '../../core/program/index.ts';
import { aloneIn } from './alone.ts';
import type { ProgramRunner } from './program-runner.ts';
import { runsAgain } from './rendezvous/runs-again.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import { differenceOf } from './difference.ts';
import type { Difference } from './difference.ts';
import { outcomeKey } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { committedIn, isAnswer } from './oracles/serial.ts';
import { permutations } from '../../core/base/index.ts';
import type { SerialAnswer } from './oracles/serial.ts';
import { oneByOne, play, withoutTurns } from './play.ts';
import type { Order, Played } from './play.ts';

export interface Confirmed {
  /** Number of runs that showed the difference, out of all. */
  readonly times: number;
  readonly of: number;
  /** The first of these runs. */
  readonly played?: Played;
  /** The difference that this run shows. */
  readonly difference?: Difference;
  /** The answers of every order of the transactions that committed in it. */
  readonly answers: readonly SerialAnswer[];
  /** Each time that the difference was shown, a serial order that was run gave it too. Alone it is no finding. */
  readonly serially?: true;
  /** The reason why the program is not compared. */
  readonly unstable?: string;
}

const CONFIRMATIONS = 5;

export async function confirm(
  runner: ProgramRunner,
  program: Program,
  order: Order,
  kind: DifferenceKind,
  of: number = CONFIRMATIONS,
): Promise<Confirmed> {
  const from = firstState(program.fixture);
  await runner.load(program);
  const alone = aloneIn(runner, program);
  const runs = runsAgain(runner, program, order, of);
  const known = new Map<string, readonly SerialAnswer[] | undefined>();
  const apart = new Shown();
  const serially = new Shown();
  let ran = 0;
  while (ran < runs.most && apart.times + serially.times < runs.enough) {
    const played = await runs.next();
    ran++;
    const committed = committedIn(played.outcome);
    if (!known.has(committed.join())) known.set(committed.join(), await serialRuns(runner, program, committed));
    const answers = known.get(committed.join());
    if (answers === undefined)
      return { times: 0, of: ran, answers: [], unstable: 'a serial order of its transactions does not answer alike twice' };
    const difference = await differenceOf(played, from, alone, program);
    if (difference?.kind !== kind) continue;
    if (answers.some((answer) => isAnswer(played.outcome, answer))) serially.add({ played, difference, answers: difference.answers });
    else apart.add({ played, difference, answers });
  }
  if (apart.times === 0 && serially.times > 0) return { ...serially.confirmed(ran), serially: true };
  return apart.confirmed(ran);
}

/** Counts the runs that showed it and keeps the first one. */
class Shown {
  times = 0;
  private first: Required<Pick<Confirmed, 'played' | 'difference' | 'answers'>> | undefined;

  add(run: NonNullable<Shown['first']>): void {
    this.times++;
    this.first ??= run;
  }

  confirmed(of: number): Confirmed {
    return { times: this.times, of, answers: [], ...this.first };
  }
}

/** Runs every order of these sessions. Undefined: two runs of one order differ. */
async function serialRuns(
  runner: ProgramRunner,
  program: Program,
  sessions: readonly number[],
): Promise<readonly SerialAnswer[] | undefined> {
  const answers: SerialAnswer[] = [];
  for (const order of permutations(sessions)) {
    const runs: Outcome[] = [];
    for (let i = 0; i < 2; i++)
      runs.push((await play(runner, withoutTurns(program), firstState(program.fixture), oneByOne(order), { only: order }))!.outcome);
    const [one, two] = runs;
    if (outcomeKey(one!) !== outcomeKey(two!)) return undefined;
    answers.push({ order, results: order.map((session) => one!.transactions[session]!), state: one!.state });
  }
  return answers;
}
