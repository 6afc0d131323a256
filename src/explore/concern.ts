/**
 * How much transactions change for one another: they are run one after the other in every order. It counts most that one comes
 * to another end behind another, then that its writes meet other rows, then that it reads otherwise or that other rows are left.
 */
import { firstState } from '../../core/index.ts';
import type { Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { permutations } from '../../core/index.ts';
import { resultKey, stateKey } from './outcome.ts';
import type { Outcome, TxnResult } from './outcome.ts';
import { oneByOne, play, withoutTurns } from './play.ts';

/** From here on a transaction decides otherwise behind another one. */
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

/** Alone, as its author means it to end. */
export async function comesToItsEnd(arena: Arena, program: Program, session: number): Promise<boolean> {
  await arena.load(program);
  const played = (await play(arena, withoutTurns(program), firstState(program.fixture), oneByOne([session]), { only: [session] }))!;
  const { end, replies } = played.outcome.transactions[session]!;
  const planned = program.transactions[session]!.end === 'commit' ? 'committed' : 'aborted';
  return end === planned && replies.every(({ error }) => error === undefined);
}

/** Of one program, in each serial order. */
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
