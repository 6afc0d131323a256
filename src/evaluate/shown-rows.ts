/**
 * The facts in a statement's own reply about the times at which its subqueries were evaluated. If only one subquery can
 * have read a shown row, that subquery was evaluated. SET was evaluated for each row that an UPDATE changed.
 */
import { ROLE, TXN_STATUS } from '../../core/index.ts';
import type { History } from '../../core/index.ts';

export interface ShownRows {
  /** Tells whether the reply of statement s shows that it read some row of the table. */
  hasRead(s: number, table: string): boolean;
  /** Returns the versions, named alike, that statement s read of the table and did not replace or remove. */
  readFrom(s: number, table: string): ReadonlySet<string>;
  /** Tells whether statement s may have seen a row of the table with a write that was undone later. */
  mayBeUndone(s: number, table: string): boolean;
  /** Returns the versions that statement s replaced: row, transaction id and number, in the form of nameOf. */
  replacedBy(s: number): ReadonlySet<string>;
}

export function shownRows({ observations, entries, rows, statements, transactions }: History): ShownRows {
  const read = new Map<string, Set<string>>();
  const undone: { readonly table: string; readonly by: number }[] = [];
  const replaced = new Map<number, Set<string>>();
  for (let o = 0; o < observations.count; o++) {
    const [s, row] = [observations.statement[o]!, observations.row[o]!];
    const name = (e: number): string => nameOf(row, transactions.id[entries.txn[e]!]!, entries.seq[e]!);
    const last = observations.start[o]! + observations.length[o]! - 1;
    if (observations.role[o] === ROLE.read) setOf(read, `${s} ${rows.table[row]}`).add(name(last));
    else if (statements.undone[s] === 1 || transactions.status[statements.txn[s]!] !== TXN_STATUS.committed)
      undone.push({ table: rows.table[row]!, by: s });
    if (observations.role[o] === ROLE.write && observations.length[o]! >= 2) setOf(replaced, s).add(name(last - 1));
  }
  const over = new Float64Array(transactions.count).fill(Number.NEGATIVE_INFINITY);
  for (let s = 0; s < statements.count; s++) {
    const [t, reply] = [statements.txn[s]!, statements.replyAt[s]!];
    over[t] = Number.isNaN(reply) ? Number.POSITIVE_INFINITY : Math.max(over[t]!, reply);
  }
  const readFrom = (s: number, table: string): ReadonlySet<string> => read.get(`${s} ${table}`) ?? new Set();
  return {
    hasRead: (s, table) => readFrom(s, table).size > 0,
    readFrom,
    mayBeUndone: (s, table) =>
      undone.some(({ table: of, by }) => {
        const own = statements.txn[by] === statements.txn[s];
        return (
          of === table &&
          statements.invokeAt[by]! <= statements.replyAt[s]! &&
          (own || over[statements.txn[by]!]! >= statements.invokeAt[s]!)
        );
      }),
    replacedBy: (s) => replaced.get(s) ?? new Set(),
  };
}

export function nameOf(row: number, txn: number, seq: number): string {
  return `${row} ${txn}.${seq}`;
}

function setOf<Key>(sets: Map<Key, Set<string>>, s: Key): Set<string> {
  let set = sets.get(s);
  if (set === undefined) sets.set(s, (set = new Set()));
  return set;
}
