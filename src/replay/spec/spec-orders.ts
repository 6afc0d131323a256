/** The orders of steps in which a .spec runs: those that it names, or all interleavings of its sessions, in isolationtester's order. */
import { UsageError } from '../../../core/base/index.ts';
import type { Spec, SpecSession } from './parse-spec.ts';

/** More interleavings than this are refused. */
export const MOST_ORDERS = 20_000;

/** A step of a session. */
export interface PlacedStep {
  /** Number of the session, from 0. */
  readonly session: number;
  readonly name: string;
  readonly sql: string;
}

export function specOrders({ path, sessions, permutations }: Spec): readonly (readonly PlacedStep[])[] {
  if (permutations.length > 0) {
    const placed = new Map(stepsBySession(sessions).flatMap((steps) => steps.map((step) => [step.name, step] as const)));
    return permutations.map((steps) => steps.map(({ name }) => placed.get(name)!));
  }
  const count = interleavings(sessions.map(({ steps }) => steps.length));
  if (count > MOST_ORDERS)
    throw new UsageError(
      `${path}: the file names no permutation, and its steps have ${count} interleavings; expected at most ${MOST_ORDERS}, or lines that name permutations.`,
    );
  return allOrders(stepsBySession(sessions));
}

export function stepsBySession(sessions: readonly SpecSession[]): readonly (readonly PlacedStep[])[] {
  return sessions.map(({ steps }, session) => steps.map((step) => ({ session, ...step })));
}

/** Returns every interleaving of the lists; the first list goes first. */
export function allOrders<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  if (lists.every((list) => list.length === 0)) return [[]];
  return lists.flatMap((list, i) => (list.length === 0 ? [] : allOrders(lists.with(i, list.slice(1))).map((rest) => [list[0]!, ...rest])));
}

/** Counts the interleavings of lists of these lengths. */
export function interleavings(lengths: readonly number[]): number {
  let count = 1;
  let placed = 0;
  for (const length of lengths) for (let i = 1; i <= length; i++) count = (count * ++placed) / i;
  return Math.round(count);
}
