/**
 * Records one server's results of every program in every planned order: each order once, in one fixture. The answers of
 * the serial orders are recorded too. Where servers differ in those, they differ in their SQL.
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
  /** The answers of its serial orders. Servers that differ in them are not compared. */
  readonly serial: string;
  /** The runs in the order of the plan. */
  readonly runs: readonly Observed[];
  /** The reason why the program was not run. */
  readonly dropped?: string;
}

/** The server and the level of the programs. */
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

/** Most serial orders that run; four transactions have more. */
const MOST_SERIAL = 6;

/** Runs the program in an existing fixture. */
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
