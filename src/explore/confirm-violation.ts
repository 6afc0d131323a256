/** Confirms a single-run violation in a new fixture with other sessions: k of N runs in the order that showed it. */
import { firstState } from '../../core/index.ts';
import type { SingleRunViolationKind, Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { tableCorruption, mixedSnapshotOf, sameKind, statusMismatches } from './single-run-violation.ts';
import type { SingleRunViolation, FoundViolation } from './single-run-violation.ts';
import { SingleStates } from './oracles/single-state.ts';
import { again, play } from './play.ts';
import type { Played } from './play.ts';

export interface ConfirmedViolation {
  readonly times: number;
  readonly of: number;
  /** The first of these runs. */
  readonly shown?: FoundViolation;
}

const CONFIRMATIONS = 5;

export async function confirmViolation(
  arena: Arena,
  program: Program,
  choices: readonly number[],
  violation: SingleRunViolation,
  of: number = CONFIRMATIONS,
): Promise<ConfirmedViolation> {
  await arena.load(program);
  let times = 0;
  let shown: FoundViolation | undefined;
  for (let i = 0; i < of; i++) {
    const played = (await play(arena, program, firstState(program.fixture), again(choices)))!;
    const seen = (await CHECKS[violation.kind](arena, program, played)).find((each) => sameKind(each, violation));
    if (seen === undefined) continue;
    times++;
    shown ??= { violation: seen, played };
  }
  return { times, of, ...(shown && { shown }) };
}

type Check = (arena: Arena, program: Program, played: Played) => Promise<readonly SingleRunViolation[]>;

/** The checks of each kind, right after the run. After a status mismatch the transaction's outcome is unknown. */
const CHECKS: Readonly<Record<SingleRunViolationKind, Check>> = {
  'transaction state': async (_arena, _program, played) => statusMismatches(played),
  'damaged tables': async (arena, program, played) => (statusMismatches(played).length > 0 ? [] : tableCorruption(arena, program, played)),
  'part of a transaction': async (arena, program, played) => {
    if (statusMismatches(played).length > 0) return [];
    const states = new SingleStates(arena, program);
    const judged = [];
    for (const site of states.sitesOf(played)) judged.push(await states.judge(played, site));
    return judged.flatMap((each) => (typeof each === 'object' && 'seen' in each ? [mixedSnapshotOf(each)] : []));
  },
};
