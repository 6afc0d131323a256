/** How many orders a program has if nobody waits or fails: what decides whether they are enumerated or sampled. */
import type { Program, ProgramTxn } from '../../core/index.ts';

/** With its end, which a statement that commits by itself does not have. */
export function stepsOf({ steps, autocommit }: ProgramTxn): number {
  return autocommit ? steps.length : steps.length + 1;
}

/** The transactions that come one after the other, or one alone: like one that is longer. No two come after the same one. */
export function rowsOf({ transactions }: Program): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const [session, { after }] of transactions.entries()) {
    const row = rows.find((each) => after !== undefined && each.includes(after));
    if (row === undefined) rows.push([session]);
    else row.push(session);
  }
  return rows;
}

/** Of the steps of all transactions, their ends included; capped, as only small numbers matter. */
export function countOrders(program: Program, most: number = 1_000_000_000): number {
  let orders = 1;
  let placed = 0;
  for (const row of rowsOf(program)) {
    const length = row.reduce((sum, session) => sum + stepsOf(program.transactions[session]!), 0);
    for (let i = 1; i <= length; i++) {
      placed++;
      orders = (orders * placed) / i;
      if (orders > most) return most;
    }
  }
  return Math.round(orders);
}
