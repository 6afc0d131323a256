/** Adds up counts by name. */
export function addCounts<K extends string>(
  a: Readonly<Partial<Record<K, number>>>,
  b: Readonly<Partial<Record<K, number>>>,
): Readonly<Record<K, number>> {
  const sum: Partial<Record<K, number>> = { ...a };
  for (const [name, count] of Object.entries(b) as [K, number][]) sum[name] = (sum[name] ?? 0) + count;
  return sum as Record<K, number>;
}
