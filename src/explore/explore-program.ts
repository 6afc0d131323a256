/** One program: its orders enumerated, or sampled where they are too many; each outcome that is new judged by the oracles. */
import { firstState } from '../../core/index.ts';
import type { Program, Random } from '../../core/index.ts';
import { aloneIn } from './alone.ts';
import type { Alone } from './alone.ts';
import type { Arena } from './arena.ts';
import { differenceOf } from './difference.ts';
import type { Difference } from './difference.ts';
import { enumerate } from './enumerate.ts';
import { NONE, independence } from './independent.ts';
import { countOrders } from './orders.ts';
import { outcomeKey } from './outcome.ts';
import type { Played } from './play.ts';
import { sample } from './sample.ts';

/** `pruned`: up to steps that commute; `all`: every order; a number: so many orders drawn of each program. */
export type Orders = 'pruned' | 'all' | number;

export interface ExploreOptions {
  readonly orders: Orders;
  /** Programs of more orders than that are sampled. */
  readonly most: number;
  /** Of a program that is sampled because it has too many orders. */
  readonly samples: number;
  readonly random: Random;
  /** The order in which transactions begin decides nothing (independent.ts). */
  readonly beginsCommute: boolean;
  /** Asked after each run: true ends the program early. */
  readonly enough?: () => boolean;
}

export interface Found {
  readonly difference: Difference;
  readonly played: Played;
}

export interface ExploredProgram {
  readonly program: Program;
  /** Runs that came to their end. */
  readonly orders: number;
  readonly cut: number;
  /** Without waits and failures it would have so many. */
  readonly possible: number;
  /** Every one of them was run, up to steps that commute. */
  readonly whole: boolean;
  readonly sampled: boolean;
  readonly outcomes: number;
  readonly found: readonly Found[];
  /** Why it was dropped before its orders were tried. */
  readonly dropped?: string;
}

const COUNT_UP_TO = 1_000_000_000;

export async function exploreProgram(
  arena: Arena,
  program: Program,
  { orders, most, samples, random, beginsCommute, enough = () => false }: ExploreOptions,
): Promise<ExploredProgram> {
  const from = firstState(program.world);
  const possible = countOrders(program, COUNT_UP_TO);
  const sampled = typeof orders === 'number' || (orders === 'pruned' && possible > most);
  await arena.load(program);
  const alone = aloneIn(arena, program);
  const dropped = await uselessness(program, alone);
  if (dropped !== undefined) return { program, orders: 0, cut: 0, possible, whole: false, sampled, outcomes: 0, found: [], dropped };
  const outcomes = new Map<string, Played>();
  const each = (played: Played): boolean => {
    const key = outcomeKey(played.outcome);
    if (!outcomes.has(key)) outcomes.set(key, played);
    return !enough();
  };
  const ran = sampled
    ? await sample(
        arena,
        program,
        from,
        { count: typeof orders === 'number' ? orders : samples, random: random.fork(String(program.number)) },
        each,
      )
    : await enumerate(arena, program, from, orders === 'all' ? NONE : independence(program, { beginsCommute }), each);
  const found: Found[] = [];
  for (const played of outcomes.values()) {
    const difference = await differenceOf(played.outcome, from, alone);
    if (difference !== undefined) found.push({ difference, played });
  }
  return { program, ...ran, possible, sampled, outcomes: outcomes.size, found };
}

/** A statement that the server refuses, or transactions that fail even alone, show nothing. */
async function uselessness({ world, transactions }: Program, alone: Alone): Promise<string | undefined> {
  let succeed = 0;
  for (const [session, { end }] of transactions.entries()) {
    const { result } = await alone(session, firstState(world));
    const refused = result.replies.find(({ error }) => error?.class === 'syntax');
    if (refused !== undefined) return `the server refuses a statement: ${refused.error!.message}`;
    if (result.end === 'committed' || end === 'rollback') succeed++;
  }
  return succeed < 2 ? 'its transactions fail even alone' : undefined;
}
