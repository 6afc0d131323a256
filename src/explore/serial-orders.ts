/**
 * A control: only the serial orders of the transactions, each twice. If an oracle finds anything there, it compares
 * things in which even a correct server may differ. Then none of its other answers can be trusted.
 */
import type { Program, FixtureState } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import type { Each, Enumerated } from './enumerate.ts';
import { permutations } from '../../core/index.ts';
import { oneByOne, play, withoutTurns } from './play.ts';

const TIMES = 2;

export async function serialOrders(arena: Arena, program: Program, from: FixtureState, each: Each): Promise<Enumerated> {
  const ran = { orders: 0, cut: 0, whole: false };
  for (const order of permutations(program.transactions.map((_, session) => session))) {
    for (let time = 0; time < TIMES; time++) {
      const played = await play(arena, withoutTurns(program), from, oneByOne(order));
      ran.orders++;
      if (!(await each(played!))) return ran;
    }
  }
  return ran;
}
