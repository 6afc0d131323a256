/**
 * Finds undone writes that a statement may have seen (G1a). A read of their row may find it gone or changed, and
 * nothing shows that. They are visible from when they were sent until the last reply of their transaction: nothing of
 * them remains after a ROLLBACK, or after the error that ended it. A transaction that reads a row which its own undone
 * write changed may have read it in between, whenever that was.
 */
import { ROLE } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import type { Writers } from './writers.ts';

export interface UndoneWrites {
  /**
   * Tells whether statement s may have seen the row as an undone write left it. `others` restricts this to writes of
   * other transactions.
   */
  near(s: number, row: number, others?: boolean): boolean;
}

export function undoneWrites({ observations, statements, transactions, rows }: History, writers: Writers): UndoneWrites {
  const row: number[] = [];
  const writer: number[] = [];
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o];
    if (observations.role[o] === ROLE.read || (statements.undone[s] === 0 && writers.committed(statements.txn[s]))) continue;
    row.push(observations.row[o]);
    writer.push(s);
  }
  const over = new Float64Array(transactions.count).fill(Number.NEGATIVE_INFINITY);
  for (let s = 0; s < statements.count; s++)
    over[statements.txn[s]] = Number.isNaN(statements.replyAt[s])
      ? Number.POSITIVE_INFINITY
      : Math.max(over[statements.txn[s]], statements.replyAt[s]);
  const byRow = buildCsr(rows.count, row, writer);
  return {
    near: (s, of, others = false) => {
      for (let i = byRow.starts[of]; i < byRow.starts[of + 1]; i++) {
        const by = byRow.targets[i];
        const own = statements.txn[by] === statements.txn[s];
        if (statements.invokeAt[by] > statements.replyAt[s] || (own && others)) continue;
        if (own || over[statements.txn[by]] >= statements.invokeAt[s]) return true;
      }
      return false;
    },
  };
}
