/**
 * The serial oracle: the replies to the committed transactions and the final rows must be those of some serial order. No
 * dependency is inferred, so none can be missed.
 */
import { permutations } from '../../../core/index.ts';
import type { FixtureState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import { resultKey, stateKey } from '../outcome.ts';
import type { Outcome, TxnResult } from '../outcome.ts';

export interface SerialAnswer {
  readonly order: readonly number[];
  /** The results in that order. */
  readonly results: readonly TxnResult[];
  readonly state: FixtureState;
}

export function committedIn({ transactions }: Outcome): readonly number[] {
  return transactions.flatMap(({ end }, session) => (end === 'committed' ? [session] : []));
}

/** Returns the answers that each order of these would have given. */
export async function serialAnswers(sessions: readonly number[], from: FixtureState, alone: Alone): Promise<readonly SerialAnswer[]> {
  const answers: SerialAnswer[] = [];
  for (const order of permutations(sessions)) {
    const results: TxnResult[] = [];
    let state = from;
    for (const session of order) {
      const next = await alone(session, state);
      results.push(next.result);
      state = next.state;
    }
    answers.push({ order, results, state });
  }
  return answers;
}

export function isAnswer(outcome: Outcome, { order, results, state }: SerialAnswer): boolean {
  return (
    stateKey(outcome.state) === stateKey(state) &&
    order.every((session, i) => resultKey(outcome.transactions[session]!) === resultKey(results[i]!))
  );
}
