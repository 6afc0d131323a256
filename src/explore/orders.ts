/** How many orders a program has if nobody waits or fails: what decides whether they are enumerated or sampled. */
import type { Program, ProgramTxn } from '../../core/index.ts';

/** With its end, which a statement that commits by itself does not have. */
export function stepsOf({ steps, autocommit }: ProgramTxn): number {
  return autocommit ? steps.length : steps.length + 1;
}

/** Of the steps of all transactions, their ends included; capped, as only small numbers matter. */
export function countOrders({ transactions }: Program, most: number = 1_000_000_000): number {
  let orders = 1;
  let placed = 0;
  for (const transaction of transactions) {
    for (let i = 1; i <= stepsOf(transaction); i++) {
      placed++;
      orders = (orders * placed) / i;
      if (orders > most) return most;
    }
  }
  return Math.round(orders);
}
