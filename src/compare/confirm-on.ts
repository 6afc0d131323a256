/** Runs orders again on one server, k of N, in new fixtures. Each transaction checks the level in force. */
import { firstState } from '../../core/index.ts';
import { aloneIn } from '../explore/alone.ts';
import { differenceOf } from '../explore/difference.ts';
import type { Difference } from '../explore/difference.ts';
import type { BeginSql } from '../explore/by-hand.ts';
import { inArena } from '../explore/in-arena.ts';
import type { ServerArena } from '../explore/server-arena.ts';
import { again, play } from '../explore/play.ts';
import type { Played } from '../explore/play.ts';
import type { Candidate } from './candidates.ts';
import { observedOf } from './observed.ts';
import type { Observed } from './observed.ts';
import type { Side } from './record.ts';

const CONFIRMATIONS = 5;

/** The result of all runs, or of the first one if they differ. */
export interface ConfirmedRun {
  readonly observed: Observed;
  readonly played: Played;
  /** Number of runs with the same outcome and the same waits as the first. */
  readonly alike: number;
  readonly waitsAlike: number;
  readonly of: number;
  /** The first run's difference; absent: some serial order gives it. */
  readonly difference?: Difference;
  readonly beginSql: BeginSql;
}

/** Returns the runs in the order of the candidates; fewer if it was interrupted. */
export async function confirmOn(side: Side, candidates: readonly Candidate[], heard: () => void): Promise<readonly ConfirmedRun[]> {
  const fixtures = [...new Set(candidates.map(({ planned }) => planned.program.fixture))];
  if (fixtures.length === 0) return [];
  return inArena({ ...side, fixtures, checkLevel: true }, async (arena) => {
    const confirmed: ConfirmedRun[] = [];
    for (const each of candidates) {
      if (side.signal.aborted) break;
      confirmed.push(await runAgain(arena, each));
      heard();
    }
    return confirmed;
  });
}

async function runAgain(arena: ServerArena, { planned: { program }, order }: Candidate): Promise<ConfirmedRun> {
  const from = firstState(program.fixture);
  await arena.load(program);
  const runs: Played[] = [];
  for (let i = 0; i < CONFIRMATIONS; i++) runs.push((await play(arena, program, from, again(order)))!);
  const all = runs.map(observedOf);
  const [observed] = all as [Observed];
  const difference = await differenceOf(runs[0]!, from, aloneIn(arena, program), program);
  return {
    observed,
    played: runs[0]!,
    alike: all.filter(({ key }) => key !== undefined && key === observed.key).length,
    waitsAlike: all.filter(({ key, waits }) => key === observed.key && waits === observed.waits).length,
    of: CONFIRMATIONS,
    ...(difference && { difference }),
    beginSql: arena.beginSql,
  };
}
