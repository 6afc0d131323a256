/** A list history without some of its transactions: lists then lack what these appended. */
import type { ListHistory, ListOp } from '../../check/index.ts';

/** `kept`: numbers of transactions, from 1. */
export function partOfLists(history: ListHistory, kept: ReadonlySet<number>): ListHistory {
  const gone = new Set<string>();
  for (const [i, { ops }] of history.transactions.entries())
    if (!kept.has(i + 1)) for (const op of ops) if (op.kind === 'append') gone.add(`${op.key} ${op.element}`);
  const without = (op: ListOp): ListOp =>
    op.kind === 'read' && op.elements !== undefined
      ? { ...op, elements: op.elements.filter((element) => !gone.has(`${op.key} ${element}`)) }
      : op;
  const transactions = history.transactions.filter((_, i) => kept.has(i + 1)).map((txn) => ({ ...txn, ops: txn.ops.map(without) }));
  return { ...history, transactions, txnName: undefined };
}
