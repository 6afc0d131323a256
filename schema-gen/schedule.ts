/**
 * Orders of the sessions' steps. Half of them are uniform over all interleavings, and half switch sessions seldom. Many
 * anomalies need only one or two switches, which uniform orders of long transactions hardly ever have.
 */
import type { Random, SessionPlan } from '../core/index.ts';

/** The number of orders drawn to find one that was not seen yet. */
const CANDIDATES = 8;

/** Returns one entry per step of each session. The order is added to `seen`. */
export function generateSchedule(random: Random, sessions: readonly SessionPlan[], seen?: Set<string>): number[] {
  const steps = sessions.map(countSteps);
  let order = draw(random, steps);
  for (let i = 1; i < CANDIDATES && seen?.has(order.join(',')); i++) order = draw(random, steps);
  seen?.add(order.join(','));
  return order;
}

/** Counts BEGIN, the statements and COMMIT or ROLLBACK. An autocommit transaction is one step. */
export function countSteps(session: SessionPlan): number {
  let steps = 0;
  for (const plan of session.transactions) steps += plan.autocommit ? 1 : plan.statements.length + 2;
  return steps;
}

function draw(random: Random, steps: readonly number[]): number[] {
  return random.chance(0.5)
    ? random.shuffle(steps.flatMap((count, session) => Array.from({ length: count }, () => session)))
    : runs(random, steps);
}

/** Stays with a session for a while, then goes to another one. */
function runs(random: Random, steps: readonly number[]): number[] {
  const left = [...steps];
  const order: number[] = [];
  let current = -1;
  for (;;) {
    const ready = left.flatMap((count, session) => (count > 0 && session !== current ? [session] : []));
    if (ready.length === 0 && !(left[current]! > 0)) return order;
    if (ready.length > 0) current = random.pick(ready);
    for (let n = random.int(1, left[current]!); n > 0; n--) {
      order.push(current);
      left[current]!--;
    }
  }
}
