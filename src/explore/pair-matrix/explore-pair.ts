/** Runs a pair's program in the orders that show its phenomenon. The oracles judge each outcome. */
import { firstState } from '../../../core/program/index.ts';
import type { FixtureState, Program, ProgramTxn } from '../../../core/program/index.ts';
import type { Alone, AloneResult } from '../alone.ts';
import { differenceOf } from '../difference.ts';
import { notRun } from '../explore-program.ts';
import type { ExploredProgram, Found } from '../explore-program.ts';
import { mixedSnapshotsIn } from '../mixed-snapshots.ts';
import { stateKey } from '../outcome.ts';
import { again, oneByOne, play } from '../play.ts';
import type { ProgramRunner } from '../program-runner.ts';
import { Seen } from '../seen.ts';

/**
 * What transactions did alone, by their first state. Pairs with the same look share a transaction, and so do pairs with
 * the same change.
 */
export class KnownAlone {
  private readonly known = new Map<ProgramTxn, Map<string, AloneResult>>();

  in(runner: ProgramRunner, program: Program): Alone {
    return async (session, from) => {
      const transaction = program.transactions[session]!;
      const byState = this.known.get(transaction) ?? new Map<string, AloneResult>();
      this.known.set(transaction, byState);
      const key = stateKey(from);
      let result = byState.get(key);
      if (result === undefined) byState.set(key, (result = await alone(runner, program, session, from)));
      return result;
    };
  }
}

async function alone(runner: ProgramRunner, program: Program, session: number, from: FixtureState): Promise<AloneResult> {
  const { outcome } = (await play(runner, program, from, oneByOne([session]), { only: [session] }))!;
  return { result: outcome.transactions[session]!, state: outcome.state };
}

/** `orders` are the sessions that step, by default the program's own orders. */
export async function explorePair(
  runner: ProgramRunner,
  program: Program,
  known: KnownAlone,
  orders: readonly (readonly number[])[] = program.telling ?? [],
): Promise<ExploredProgram> {
  const from = firstState(program.fixture);
  const seen = new Seen(runner, program);
  await runner.load(program);
  for (const choices of orders) await seen.add((await play(runner, program, from, again(choices)))!);
  const alone = known.in(runner, program);
  const found: Found[] = [];
  for (const played of seen.outcomes.values()) {
    const difference = await differenceOf(played, from, alone, program);
    if (difference !== undefined) found.push({ difference, played, breaks: [] });
  }
  const { mixedSnapshots, statements } = await mixedSnapshotsIn(runner, program, found, orders.length);
  for (const { violation, played } of mixedSnapshots) seen.violated([violation], played);
  return {
    ...notRun(program),
    orders: orders.length,
    possible: orders.length,
    sampled: true,
    outcomes: seen.outcomes.size,
    found,
    violations: seen.violations,
    statements,
  };
}
