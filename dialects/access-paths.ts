/** Groups a catalogue's rows, one for each column of each index in index order: table -> index -> columns. */
import type { ResultRow } from '../core/dialect/index.ts';

export type IndexColumns = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Each row is `table, index, column`. An index is left out if one of its parts is no column (an expression, a prefix). */
export function indexColumns(rows: readonly ResultRow[]): IndexColumns {
  const tables = new Map<string, Map<string, readonly string[]>>();
  const left = new Set<string>();
  for (const [table, index, column] of rows as readonly (readonly [string, string, string | null])[]) {
    const key = JSON.stringify([table, index]);
    if (column === null) left.add(key);
    const indexes = tables.get(table) ?? new Map<string, readonly string[]>();
    tables.set(table, indexes.set(index, [...(indexes.get(index) ?? []), ...(column === null ? [] : [column])]));
  }
  for (const [table, indexes] of tables)
    for (const index of indexes.keys()) if (left.has(JSON.stringify([table, index]))) indexes.delete(index);
  return tables;
}
