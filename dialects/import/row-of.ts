/** Looks up a row by a name that a user wrote. Names that every object has, such as `constructor` and `toString`, are no rows. */
export function rowOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
