/** A breach again, in a world made anew by other sessions: k of N runs in the order that showed it. */
import { firstState } from '../../core/index.ts';
import type { BreachKind, Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { damageOf, fractureOf, sameKind, statusMismatches } from './breach.ts';
import type { Breach, FoundBreach } from './breach.ts';
import { SingleStates } from './oracles/single-state.ts';
import { again, play } from './play.ts';
import type { Played } from './play.ts';

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
  breach: Breach,
  of: number = CONFIRMATIONS,
): Promise<ConfirmedBreach> {
  await arena.load(program);
  let times = 0;
  let shown: FoundBreach | undefined;
  for (let i = 0; i < of; i++) {
    const played = (await play(arena, program, firstState(program.world), again(choices)))!;
    const seen = (await LOOKS[breach.kind](arena, program, played)).find((each) => sameKind(each, breach));
    if (seen === undefined) continue;
    times++;
    shown ??= { breach: seen, played };
  }
  return { times, of, ...(shown && { shown }) };
}

type Look = (arena: Arena, program: Program, played: Played) => Promise<readonly Breach[]>;

/** How each kind is looked for, right after the run; behind a status mismatch nobody knows what became of its transaction. */
const LOOKS: Readonly<Record<BreachKind, Look>> = {
  'transaction state': async (_arena, _program, played) => statusMismatches(played),
  'damaged tables': async (arena, program, played) => (statusMismatches(played).length > 0 ? [] : damageOf(arena, program, played)),
  'part of a transaction': async (arena, program, played) => {
    if (statusMismatches(played).length > 0) return [];
    const states = new SingleStates(arena, program);
    const judged = [];
    for (const site of states.sitesOf(played)) judged.push(await states.judge(played, site));
    return judged.flatMap((each) => (typeof each === 'object' && 'seen' in each ? [fractureOf(each)] : []));
  },
};
