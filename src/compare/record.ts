/**
 * What one server made of every program in every planned order: each order once, in a fixture that stays. What it answered
 * one transaction after the other is recorded beside it: where servers differ in that, they differ in their SQL.
 */
import { firstState } from '../../core/index.ts';
import type { Dialect, DialectLevel, Program } from '../../core/index.ts';
import { aloneIn } from '../explore/alone.ts';
import type { Arena } from '../explore/arena.ts';
import { uselessness } from '../explore/explore-program.ts';
import { inArena } from '../explore/in-arena.ts';
import { permutations } from '../../core/index.ts';
import { again, oneByOne, play, withoutTurns } from '../explore/play.ts';
import { observedOf } from './observed.ts';
import type { Observed } from './observed.ts';
import type { PlannedOrder } from './planned-orders.ts';

export interface PlannedProgram {
  readonly program: Program;
  readonly orders: readonly PlannedOrder[];
}

export interface RecordedProgram {
  /** What its serial orders answered; servers that differ in it are not held against each other. */
  readonly serial: string;
  /** In the order of the plan. */
  readonly runs: readonly Observed[];
  /** Why it was not run. */
  readonly dropped?: string;
}

/** The server and the level that programs run at. */
export interface Side {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

export async function record(
  side: Side,
  plan: readonly PlannedProgram[],
  heard: (orders: number) => void,
): Promise<readonly RecordedProgram[]> {
  const fixtures = [...new Set(plan.map(({ program }) => program.fixture))];
  return inArena({ ...side, fixtures }, async (arena) => {
    const recorded: RecordedProgram[] = [];
    let orders = 0;
    for (const each of plan) {
      if (side.signal.aborted) break;
      const one = await recordProgram(arena, each);
      recorded.push(one);
      heard((orders += one.runs.length));
    }
    return recorded;
  });
}

/** Of four transactions there are more. */
const MOST_SERIAL = 6;

/** In an arena that stays. */
export async function recordProgram(arena: Arena, { program, orders }: PlannedProgram): Promise<RecordedProgram> {
  const from = firstState(program.fixture);
  await arena.load(program);
  const dropped = await uselessness(program, aloneIn(arena, program));
  if (dropped !== undefined) return { serial: '', runs: [], dropped };
  const serial: (string | undefined)[] = [];
  for (const order of permutations(program.transactions.map((_, session) => session)).slice(0, MOST_SERIAL))
    serial.push(observedOf((await play(arena, withoutTurns(program), from, oneByOne(order)))!).key);
  const runs: Observed[] = [];
  for (const order of orders) runs.push(observedOf((await play(arena, program, from, again(order)))!));
  return { serial: JSON.stringify(serial), runs };
}
