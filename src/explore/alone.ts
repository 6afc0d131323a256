/** The effect of each transaction of a program alone from a given state. It is run once and remembered. Both oracles are built on it. */
import { firstState } from '../../core/index.ts';
import type { Program, FixtureState } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { stateKey } from './outcome.ts';
import type { TxnResult } from './outcome.ts';
import { oneByOne, play, withoutTurns } from './play.ts';

export interface AloneResult {
  readonly result: TxnResult;
  readonly state: FixtureState;
}

export type Alone = (session: number, from: FixtureState) => Promise<AloneResult>;

export function aloneIn(arena: Arena, program: Program): Alone {
  return program.fixture.changesSchema ? behindOthers(arena, program) : byState(arena, program);
}

function byState(arena: Arena, program: Program): Alone {
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

/**
 * Where tables themselves change, rows do not describe a state. So a transaction after others is run after them, from the
 * first rows on.
 */
function behindOthers(arena: Arena, program: Program): Alone {
  const known = new Map<string, AloneResult>();
  const came = new WeakMap<FixtureState, readonly number[]>();
  return async (session, from) => {
    const order = [...(came.get(from) ?? []), session];
    const before = known.get(order.join());
    if (before !== undefined) return before;
    const { outcome } = (await play(arena, withoutTurns(program), firstState(program.fixture), oneByOne(order), { only: order }))!;
    came.set(outcome.state, order);
    const found = { result: outcome.transactions[session]!, state: outcome.state };
    known.set(order.join(), found);
    return found;
  };
}
