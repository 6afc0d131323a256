/**
 * Checks snapshots where tables themselves change. Rows do not describe a state then, so changes cannot be merged. But if
 * two transactions commit, the first to commit must get its replies from the first state. The other one must get its
 * replies from the first state or after the first transaction.
 */
import type { FixtureState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import { resultKey } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { committedIn } from './serial.ts';
import { permutations } from '../../../core/index.ts';

/** With more than two transactions there is no violation: the answer is true. */
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
