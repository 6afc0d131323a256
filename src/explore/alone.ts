/** What each transaction of a program does alone from a given state: run once, remembered. Both oracles are made of it. */
import type { Program, WorldState } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { stateKey } from './outcome.ts';
import type { TxnResult } from './outcome.ts';
import { oneByOne, play } from './play.ts';

export interface AloneResult {
  readonly result: TxnResult;
  readonly state: WorldState;
}

export type Alone = (session: number, from: WorldState) => Promise<AloneResult>;

export function aloneIn(arena: Arena, program: Program): Alone {
  const known = new Map<string, AloneResult>();
  return async (session, from) => {
    const key = `${session} ${stateKey(from)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const played = await play(arena, program, from, oneByOne([session]), { only: [session] });
    const found = { result: played!.outcome.transactions[session]!, state: played!.outcome.state };
    known.set(key, found);
    return found;
  };
}
