/**
 * What a statement's own reply says of when its subqueries were read: a row that only one of them can have read was read by
 * it, and SET was evaluated for each row that an UPDATE changed.
 */
import { ROLE } from '../../core/index.ts';
import type { History } from '../../core/index.ts';

export interface ShownRows {
  /** Did statement s show that it read some row of the table? */
  hasRead(s: number, table: string): boolean;
  /** The versions that statement s replaced: row, transaction id and number, as nameOf has them. */
  replacedBy(s: number): ReadonlySet<string>;
}

export function shownRows({ observations, entries, rows, transactions }: History): ShownRows {
  const tablesRead = new Map<number, Set<string>>();
  const replaced = new Map<number, Set<string>>();
  for (let o = 0; o < observations.count; o++) {
    const [s, row] = [observations.statement[o]!, observations.row[o]!];
    if (observations.role[o] === ROLE.read) setOf(tablesRead, s).add(rows.table[row]!);
    if (observations.role[o] !== ROLE.write || observations.length[o]! < 2) continue;
    const e = observations.start[o]! + observations.length[o]! - 2;
    setOf(replaced, s).add(nameOf(row, transactions.id[entries.txn[e]!]!, entries.seq[e]!));
  }
  return { hasRead: (s, table) => tablesRead.get(s)?.has(table) === true, replacedBy: (s) => replaced.get(s) ?? new Set() };
}

export function nameOf(row: number, txn: number, seq: number): string {
  return `${row} ${txn}.${seq}`;
}

function setOf(sets: Map<number, Set<string>>, s: number): Set<string> {
  let set = sets.get(s);
  if (set === undefined) sets.set(s, (set = new Set()));
  return set;
}
