/** A table's row by a name that a user has written: `constructor` and `toString`, which every object has, are rows of none. */
export function rowOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
