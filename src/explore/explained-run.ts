/**
 * Finds a run in the order of an earlier one that a serial order explains, with the same outcome. Statements about the
 * earlier run then hold for this one.
 */
import { firstState } from '../../core/index.ts';
import type { Program } from '../../core/index.ts';
import { aloneIn } from './alone.ts';
import type { Arena } from './arena.ts';
import { differenceOf } from './difference.ts';
import { again, play } from './play.ts';
import type { Order, Played } from './play.ts';

const RUNS = 5;

/** Undefined: none of a few runs has that outcome. */
export async function explainedRun(arena: Arena, program: Program, { choices }: Order): Promise<Played | undefined> {
  const from = firstState(program.fixture);
  await arena.load(program);
  const alone = aloneIn(arena, program);
  for (let i = 0; i < RUNS; i++) {
    const played = (await play(arena, program, from, again(choices)))!;
    if ((await differenceOf(played, from, alone, program)) === undefined) return played;
  }
  return undefined;
}
