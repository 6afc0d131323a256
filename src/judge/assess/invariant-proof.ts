/**
 * Whether transactions alone broke an invariant by running beside each other: in an order that was observed they break it, and
 * one after the other they keep it in every order that is tried. An order that could not be run, or not be asked, proves
 * nothing: then there is no proof.
 */
import type { InvariantCause, TestCase } from '../../../core/index.ts';
import type { RoundOutcome } from '../../execute/index.ts';

export type InvariantProof = Pick<InvariantCause, 'fromFirstRows' | 'replayed' | 'inTurn'>;

export interface ProofSetup {
  /** The transactions on the rows as they were. */
  readonly observed: TestCase;
  /** The same on the first rows of the case. */
  readonly fromFirstRows: TestCase;
  /** The order that was observed, then others that may have been it. */
  readonly ordersOf: (testCase: TestCase) => readonly TestCase[];
  /** Whether the case leaves the invariant broken; undefined: it could not be run, or not be asked. */
  readonly breaks: (testCase: TestCase) => Promise<boolean | undefined>;
}

const TIMES = 3;
/** Of more transactions two orders are tried: the one and its reverse. */
const MOST_PERMUTED = 3;

/** Undefined: they do not break it alone, or they do one after the other too, or that could not be seen. */
export async function invariantProof(setup: ProofSetup): Promise<InvariantProof | undefined> {
  const found = await proofFrom(setup, setup.observed);
  if (found !== 'unusable') return found;
  const again = await proofFrom(setup, setup.fromFirstRows);
  return again === undefined || again === 'unusable' ? undefined : { fromFirstRows: true, ...again };
}

/** `unusable`: an order of it could not be run or asked, as the rows that it begins with may be no usable ones. */
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

/** Whether a round left its one invariant broken; undefined: it did not come to its end, or the invariant has no answer. */
export function isBroken({ complete, invariants }: Pick<RoundOutcome, 'complete' | 'invariants'>): boolean | undefined {
  const [answer] = invariants;
  return complete && answer !== undefined && answer.failed === undefined ? answer.count > 0 : undefined;
}

/** One after the other, in one session. */
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
