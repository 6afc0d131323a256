/**
 * Measures how much transactions affect one another, by running them serially in every order. A different end after
 * another transaction weighs most, then writes of other rows, then other reads or other final rows.
 */
import { firstState } from '../../core/index.ts';
import type { Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { permutations } from '../../core/index.ts';
import { resultKey, stateKey } from './outcome.ts';
import type { Outcome, TxnResult } from './outcome.ts';
import { oneByOne, play, withoutTurns } from './play.ts';

/** From this sum on, a transaction decides differently after another one. */
export const DECIDES = 10;
const WRITES = 3;
const READS = 1;

export async function concernIn(arena: Arena, program: Program): Promise<number> {
  await arena.load(program);
  const outcomes: Outcome[] = [];
  for (const order of permutations(program.transactions.map((_, session) => session)))
    outcomes.push((await play(arena, withoutTurns(program), firstState(program.fixture), oneByOne(order)))!.outcome);
  return concernOf(outcomes);
}

/** True if the transaction alone ends as its author planned. */
export async function comesToItsEnd(arena: Arena, program: Program, session: number): Promise<boolean> {
  await arena.load(program);
  const played = (await play(arena, withoutTurns(program), firstState(program.fixture), oneByOne([session]), { only: [session] }))!;
  const { end, replies } = played.outcome.transactions[session]!;
  const planned = program.transactions[session]!.end === 'commit' ? 'committed' : 'aborted';
  return end === planned && replies.every(({ error }) => error === undefined);
}

/** Returns the sum for one program, from its outcomes in all serial orders. */
export function concernOf(outcomes: readonly Outcome[]): number {
  const sessions = outcomes[0]!.transactions.map((_, session) => outcomes.map(({ transactions }) => transactions[session]!));
  const differs = (results: readonly TxnResult[], of: (result: TxnResult) => string): boolean => new Set(results.map(of)).size > 1;
  const ends = sessions.filter((results) => differs(results, endOf)).length;
  const writes = sessions.filter((results) => differs(results, affectedBy)).length;
  const reads = sessions.filter((results) => differs(results, resultKey)).length;
  const left = new Set(outcomes.map(({ state }) => stateKey(state))).size > 1 ? READS : 0;
  return ends * DECIDES + writes * WRITES + reads * READS + left;
}

function endOf({ end, replies }: TxnResult): string {
  return `${end} ${replies.map(({ error, stops = '' }) => error?.class ?? stops).join()}`;
}

function affectedBy({ replies }: TxnResult): string {
  return replies.map(({ affected, rows }) => `${affected - rows.length}`).join();
}
