/**
 * The orders that a program is run in on every server, chosen before anybody waits: all of them, or so many drawn. Who is
 * meant to step and waits is passed over for the first who can, so what a server made of an order may be another one.
 */
import type { Program, Random } from '../../core/index.ts';
import { countOrders, rowsOf, stepsOf } from '../explore/orders.ts';

/** Sessions in the order in which they are to step. */
export type PlannedOrder = readonly number[];

/** Draws that gave nothing new, and all has been drawn. */
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
