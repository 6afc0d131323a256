/**
 * Snapshots where tables themselves change: no rows tell what a state is, so changes cannot be merged. But of two transactions
 * the one that commits first was told what it is told alone at first, the other one that or what it is told behind the first.
 */
import type { FixtureState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import { resultKey } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { committedIn } from './serial.ts';
import { permutations } from '../../../core/index.ts';

/** Of more than two transactions nothing is held against anybody: true. */
export async function followsCommitOrder(outcome: Outcome, from: FixtureState, alone: Alone): Promise<boolean> {
  const committed = committedIn(outcome);
  if (committed.length > 2) return true;
  const told = async (session: number, state: FixtureState): Promise<boolean> =>
    resultKey((await alone(session, state)).result) === resultKey(outcome.transactions[session]!);
  for (const [first, second] of permutations(committed)) {
    if (first === undefined || !(await told(first, from))) continue;
    if (second === undefined || (await told(second, from)) || (await told(second, (await alone(first, from)).state))) return true;
  }
  return false;
}
