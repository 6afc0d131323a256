/** The orders in which the steps of a .spec are sent: those that it names, every order, some of them, or session by session. */
import { UsageError, permutations } from '../../../core/base/index.ts';
import type { Random } from '../../../core/base/index.ts';
import type { Orders } from '../../explore/explore-program.ts';
import type { Spec } from '../spec/parse-spec.ts';
import { MOST_ORDERS, allOrders, interleavings, specOrders, stepsBySession } from '../spec/spec-orders.ts';
import type { PlacedStep } from '../spec/spec-orders.ts';

/** The serial orders of more sessions are not run as a control. */
const MOST_SESSIONS = 6;
/** Draws for each order that is wanted: a draw may repeat an earlier one. */
const DRAWS = 20;

/** `pruned` is the default of `explore`; of a file it means the permutations that the file names, or else every order. */
export function rawOrders(spec: Spec, orders: Orders, random: Random): readonly (readonly PlacedStep[])[] {
  const lists = stepsBySession(spec.sessions);
  if (orders === 'pruned' && spec.permutations.length > 0) return specOrders(spec);
  if (orders === 'serial') return inTurn(spec, lists);
  const count = interleavings(lists.map(({ length }) => length));
  if (typeof orders === 'number') return count <= orders ? allOrders(lists) : drawn(lists, orders, random);
  if (count > MOST_ORDERS)
    throw new UsageError(
      `${spec.path}: its steps have ${count} orders; expected at most ${MOST_ORDERS}, or --orders with a number of them.`,
    );
  return allOrders(lists);
}

function inTurn({ path, sessions }: Spec, lists: readonly (readonly PlacedStep[])[]): readonly (readonly PlacedStep[])[] {
  if (sessions.length > MOST_SESSIONS)
    throw new UsageError(
      `${path}: --orders serial runs every order of the sessions, and it has ${sessions.length}; expected at most ${MOST_SESSIONS}.`,
    );
  return permutations(lists).map((order) => order.flat());
}

function drawn(lists: readonly (readonly PlacedStep[])[], wanted: number, random: Random): readonly (readonly PlacedStep[])[] {
  const found = new Map<string, readonly PlacedStep[]>();
  for (let draw = 0; draw < wanted * DRAWS && found.size < wanted; draw++) {
    const order = oneOrder(lists, random);
    found.set(order.map(({ name }) => JSON.stringify(name)).join(' '), order);
  }
  return [...found.values()];
}

/** Draws an order so that every order is equally likely. */
function oneOrder(lists: readonly (readonly PlacedStep[])[], random: Random): readonly PlacedStep[] {
  const next = lists.map(() => 0);
  const sessions = random.shuffle(lists.flatMap((list, session) => list.map(() => session)));
  return sessions.map((session) => lists[session]![next[session]!++]!);
}
