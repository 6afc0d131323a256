/** A breach again, in a world made anew by other sessions: k of N runs in the order that showed it. */
import { firstState } from '../../core/index.ts';
import type { BreachKind, Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { damageOf, straysOf } from './breach.ts';
import type { FoundBreach } from './breach.ts';
import { again, play } from './play.ts';

export interface ConfirmedBreach {
  readonly times: number;
  readonly of: number;
  /** The first of these. */
  readonly shown?: FoundBreach;
}

const CONFIRMATIONS = 5;

export async function confirmBreach(
  arena: Arena,
  program: Program,
  choices: readonly number[],
  kind: BreachKind,
): Promise<ConfirmedBreach> {
  await arena.load(program);
  let times = 0;
  let shown: FoundBreach | undefined;
  for (let i = 0; i < CONFIRMATIONS; i++) {
    const played = (await play(arena, program, firstState(program.world), again(choices)))!;
    const strays = straysOf(played);
    const breach = (strays.length > 0 ? strays : await damageOf(arena, program, played)).find((each) => each.kind === kind);
    if (breach === undefined) continue;
    times++;
    shown ??= { breach, played };
  }
  return { times, of: CONFIRMATIONS, ...(shown && { shown }) };
}
