/**
 * Returns keys for the values of a transaction: `name`, and for a parameter that a @repeat draws again `name 2`, `name
 * 3`.
 */
export function valueKeys(): (name: string) => string {
  const taken = new Map<string, number>();
  return (name) => {
    const times = (taken.get(name) ?? 0) + 1;
    taken.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  };
}
