/** Counts the orders of a program if nothing waits or fails. The count decides between enumerating and sampling. */
import type { Program, ProgramTxn } from '../../core/index.ts';

/** The number includes the transaction's end. A statement that commits by itself has none. */
export function stepsOf({ steps, autocommit }: ProgramTxn): number {
  return autocommit ? steps.length : steps.length + 1;
}

/** Groups transactions that come one after the other into rows, each like one longer transaction. No two come after the same one. */
export function rowsOf({ transactions }: Program): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const [session, { after }] of transactions.entries()) {
    const row = rows.find((each) => after !== undefined && each.includes(after));
    if (row === undefined) rows.push([session]);
    else row.push(session);
  }
  return rows;
}

/** Counts the orders of the steps of all transactions, with their ends. The count is capped, because only small numbers matter. */
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
