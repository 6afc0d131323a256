/**
 * Repeats a run: in the order of its steps, or by racing again. A race inside a statement comes again in no order of whole
 * statements, so it is raced until it was seen a few times, within a bound of rounds.
 */
import { InternalError } from '../../../core/base/index.ts';
import { firstState } from '../../../core/program/index.ts';
import type { Program } from '../../../core/program/index.ts';
import { again, play } from '../play.ts';
import type { Order, Played } from '../play.ts';
import type { ProgramRunner } from '../program-runner.ts';
import type { RacingRunner } from '../race.ts';
import { Racer } from './racer.ts';

/** Most rounds of a race, and the number of rounds that show it after which it ends. */
const MOST_ROUNDS = 2_000;
const ENOUGH = 3;

export interface Runs {
  /** The number of runs at most. */
  readonly most: number;
  /** No more runs are needed after so many that show the finding. */
  readonly enough: number;
  next(): Promise<Played>;
}

/** The program is loaded. `of`: the number of runs of an order of steps. */
export function runsAgain(runner: ProgramRunner, program: Program, { choices, raced }: Order, of: number): Runs {
  if (raced === undefined) {
    const from = firstState(program.fixture);
    return { most: of, enough: of, next: async () => (await play(runner, program, from, again(choices)))! };
  }
  if (!mayRace(runner)) throw new InternalError('a race is to be repeated by a runner that cannot race');
  const racer = new Racer(runner, program, raced);
  return { most: MOST_ROUNDS, enough: ENOUGH, next: () => racer.next() };
}

function mayRace(runner: ProgramRunner): runner is RacingRunner {
  return runner.race !== undefined;
}
