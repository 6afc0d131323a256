/**
 * Draws orders if there are too many to run them all. Two methods alternate: uniform over all orders, and by priorities
 * with a few change points (PCT: Burckhardt et al. 2010). If a fault needs d steps in the right order, PCT finds it with
 * a chance of at least 1 / (n k^(d-1)). Here n is the number of sessions and k the number of all steps.
 */
import type { Program, Random, FixtureState } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import type { Each, Enumerated } from './enumerate.ts';
import { rowsOf, stepsOf } from './orders.ts';
import { again, play } from './play.ts';
import type { Choose } from './play.ts';

/** The depths of PCT, in turn. */
const DEPTHS = [2, 3] as const;

export interface SampleOptions {
  readonly count: number;
  readonly random: Random;
}

export async function sample(
  arena: Arena,
  program: Program,
  from: FixtureState,
  { count, random }: SampleOptions,
  each: Each,
): Promise<Enumerated> {
  for (let i = 0; i < count; i++) {
    const played = await play(
      arena,
      program,
      from,
      i % 2 === 0 ? uniform(program, random) : byPriority(program, random, DEPTHS[(i >> 1) % DEPTHS.length]!),
    );
    if (!(await each(played!))) return { orders: i + 1, cut: 0, whole: false };
  }
  return { orders: count, cut: 0, whole: false };
}

export function uniform(program: Program, random: Random): Choose {
  const steps = rowsOf(program).map((row) =>
    row.flatMap((session) => Array.from({ length: stepsOf(program.transactions[session]!) }, () => session)),
  );
  const drawn = random.shuffle(steps.flatMap((row, place) => row.map(() => place)));
  return again(drawn.map((place) => steps[place]!.shift()!));
}

/**
 * The session of the highest priority steps. At each of `depth - 1` points, drawn among all steps, the session that
 * stepped falls below all others.
 */
export function byPriority({ transactions }: Program, random: Random, depth: number): Choose {
  const steps = transactions.reduce((sum, transaction) => sum + stepsOf(transaction), 0);
  let byRank = random.shuffle(transactions.map((_, session) => session));
  const changes = new Set(Array.from({ length: depth - 1 }, () => random.int(1, steps)));
  let at = 0;
  return (ready) => {
    const session = byRank.find((each) => ready.includes(each));
    at++;
    if (changes.has(at) && session !== undefined) byRank = [...byRank.filter((each) => each !== session), session];
    return session;
  };
}
