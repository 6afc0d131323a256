/** Groups the rows by table, in the order of the history. */
import type { History } from '../core/index.ts';

export function rowsByTable({ rows }: History): ReadonlyMap<string, readonly number[]> {
  const byTable = new Map<string, number[]>();
  for (let row = 0; row < rows.count; row++) {
    const list = byTable.get(rows.table[row]);
    if (list === undefined) byTable.set(rows.table[row], [row]);
    else list.push(row);
  }
  return byTable;
}
