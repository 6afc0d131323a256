/** UNION, INTERSECT and EXCEPT of rows, with ALL as bags (the lesser number of copies, the difference), without as sets. */
import type { SetOperation } from '../../core/sql/index.ts';
import { keyOf } from './values.ts';
import type { SqlValue } from './values.ts';

type Rows = readonly (readonly SqlValue[])[];

export function combine(op: SetOperation['op'], all: boolean, left: Rows, right: Rows): Rows {
  if (op === 'union') return all ? [...left, ...right] : distinct([...left, ...right], (row) => row);
  const copies = new Map<string, number>();
  for (const row of right) copies.set(keyOf(row), (copies.get(keyOf(row)) ?? 0) + 1);
  const kept = left.filter((row) => {
    const key = keyOf(row);
    const count = copies.get(key) ?? 0;
    if (all) copies.set(key, count - 1);
    return op === 'intersect' ? count > 0 : count <= 0;
  });
  return all ? kept : distinct(kept, (row) => row);
}

/** The first of every kind. */
export function distinct<T>(rows: readonly T[], valuesOf: (row: T) => readonly SqlValue[]): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = keyOf(valuesOf(row));
    return !seen.has(key) && seen.add(key);
  });
}
