/** Returns the columns of a row that a plain query of one table shows, as text. A hole stands for a column that is not shown. */
import { NONE } from '../../../core/index.ts';
import type { Select, Table } from '../../../core/index.ts';

export function readColumns(
  { items, from, groupBy, distinct }: Select,
  table: Table,
  result: readonly (string | null)[],
): (string | null | undefined)[] {
  const known = table.columns.map((): string | null | undefined => undefined);
  if (distinct || from.kind !== 'table' || from.table !== table.name || groupBy !== undefined) return known;
  items.forEach(({ expression }, i) => {
    const c = expression.kind === 'column' ? table.columns.findIndex(({ name }) => name === expression.column) : NONE;
    if (c !== NONE && result[i] !== undefined) known[c] = result[i];
  });
  return known;
}
