/**
 * Writes that came to nothing. What looks at their row while they may be seen may see them (G1a), as a row gone or changed,
 * and nothing shows it. They may be seen from when they were sent until the last reply of their transaction: behind a
 * ROLLBACK, or the error that ended it, nothing of it is there any more. A transaction that looks at a row which it wrote
 * itself in vain may have done so in between, whenever that was.
 */
import { ROLE } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import type { Writers } from './writers.ts';

export interface UndoneWrites {
  /** May statement s have seen the row as such a write left it? `others`: of other transactions alone. */
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
