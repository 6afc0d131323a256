/**
 * Finds a run in the order of an earlier one that a serial order explains, with the same outcome. Statements about the
 * earlier run then hold for this one.
 */
import { firstState } from '../../core/program/index.ts';
import type { Program } from '../../core/program/index.ts';
import { aloneIn } from './alone.ts';
import type { ProgramRunner } from './program-runner.ts';
import { differenceOf } from './difference.ts';
import { again, play } from './play.ts';
import type { Order, Played } from './play.ts';

const RUNS = 5;

/** Undefined: none of a few runs has that outcome. */
export async function explainedRun(runner: ProgramRunner, program: Program, { choices }: Order): Promise<Played | undefined> {
  const from = firstState(program.fixture);
  await runner.load(program);
  const alone = aloneIn(runner, program);
  for (let i = 0; i < RUNS; i++) {
    const played = (await play(runner, program, from, again(choices)))!;
    if ((await differenceOf(played, from, alone, program)) === undefined) return played;
  }
  return undefined;
}
