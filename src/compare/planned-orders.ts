/**
 * The orders in which a program runs on every server, chosen before anything runs: all of them, or a random sample. If
 * the session whose turn it is waits, the first that can step takes its place. So the actual order on a server may be
 * another one.
 */
import type { Program, Random } from '../../core/index.ts';
import { countOrders, rowsOf, stepsOf } from '../explore/orders.ts';

/** Sessions in the order in which they should step. */
export type PlannedOrder = readonly number[];

/** After so many draws without a new order, all have been drawn. */
const REPEATED = 200;

export function plannedOrders(program: Program, most: number, random: Random): readonly PlannedOrder[] {
  const rows = rowsOf(program).map((row) =>
    row.flatMap((session) => Array.from({ length: stepsOf(program.transactions[session]!) }, () => session)),
  );
  return countOrders(program) <= most ? allOf(rows) : drawn(rows, most, random);
}

function allOf(rows: readonly PlannedOrder[]): readonly PlannedOrder[] {
  const left = rows.filter((row) => row.length > 0);
  if (left.length === 0) return [[]];
  return left.flatMap((row) => {
    const rest = left.map((each) => (each === row ? each.slice(1) : each));
    return allOf(rest).map((order) => [row[0]!, ...order]);
  });
}

function drawn(rows: readonly PlannedOrder[], count: number, random: Random): readonly PlannedOrder[] {
  const orders = new Map<string, PlannedOrder>();
  const places = rows.flatMap((row, place) => row.map(() => place));
  for (let repeated = 0; orders.size < count && repeated < REPEATED; repeated++) {
    const left = rows.map((row) => [...row]);
    const order = random.shuffle(places).map((place) => left[place]!.shift()!);
    if (orders.has(order.join())) continue;
    orders.set(order.join(), order);
    repeated = 0;
  }
  return [...orders.values()];
}
