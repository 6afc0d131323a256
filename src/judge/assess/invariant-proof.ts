/**
 * Proves that transactions alone broke an invariant by running concurrently. They break it in an observed order, and keep
 * it in every serial order that is tried. If an order could not be run, or the invariant not be asked after it, there is
 * no proof.
 */
import type { InvariantCause, TestCase } from '../../../core/index.ts';
import type { RoundOutcome } from '../../execute/index.ts';

export type InvariantProof = Pick<InvariantCause, 'fromFirstRows' | 'replayed' | 'inTurn'>;

export interface ProofSetup {
  /** The transactions on the rows as they were. */
  readonly observed: TestCase;
  /** The same transactions on the first rows of the case. */
  readonly fromFirstRows: TestCase;
  /** Returns the observed order, then others that the times allow. */
  readonly ordersOf: (testCase: TestCase) => readonly TestCase[];
  /** Tells whether the case leaves the invariant broken. Undefined: the case could not be run, or the invariant not be asked. */
  readonly breaks: (testCase: TestCase) => Promise<boolean | undefined>;
}

const TIMES = 3;
/** With more transactions, two orders are tried: one and its reverse. */
const MOST_PERMUTED = 3;

/** Undefined: the transactions do not break it alone, or also in a serial order, or that could not be seen. */
export async function invariantProof(setup: ProofSetup): Promise<InvariantProof | undefined> {
  const found = await proofFrom(setup, setup.observed);
  if (found !== 'unusable') return found;
  const again = await proofFrom(setup, setup.fromFirstRows);
  return again === undefined || again === 'unusable' ? undefined : { fromFirstRows: true, ...again };
}

/** `unusable`: an order could not be run or asked, perhaps because its first rows are not usable. */
async function proofFrom({ ordersOf, breaks }: ProofSetup, from: TestCase): Promise<InvariantProof | 'unusable' | undefined> {
  for (const order of ordersOf(from)) {
    const first = await breaks(order);
    if (first === undefined) return 'unusable';
    if (!first) continue;
    const turns = inTurn(from);
    for (const turn of turns) if ((await breaks(turn)) !== false) return undefined;
    let seen = 1;
    for (let n = 1; n < TIMES; n++) if ((await breaks(order)) === true) seen++;
    return { replayed: { tries: TIMES, seen }, inTurn: turns.length };
  }
  return undefined;
}

/** Tells whether a round left its one invariant broken. Undefined: the round did not end, or the invariant has no answer. */
export function isBroken({ complete, invariants }: Pick<RoundOutcome, 'complete' | 'invariants'>): boolean | undefined {
  const [answer] = invariants;
  return complete && answer !== undefined && answer.failed === undefined ? answer.count > 0 : undefined;
}

/** Returns the serial orders of the transactions, each in one session. */
export function inTurn(testCase: TestCase): readonly TestCase[] {
  const { sessions, schedule: _, ...rest } = testCase;
  const plans = sessions.flatMap(({ transactions }) => transactions);
  const orders = plans.length > MOST_PERMUTED ? [plans, plans.toReversed()] : permutations(plans);
  return orders.map((transactions) => ({ ...rest, sessions: [{ transactions }] }));
}

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first, i) => permutations(list.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}
