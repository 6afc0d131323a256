/**
 * Tables in an order in which each comes behind those that it refers to. Of those that refer to one another in a circle the one
 * that waits for the fewest comes first, so that few references point ahead.
 */
export function inOrderOfReference(
  names: readonly string[],
  references: readonly (readonly [from: string, to: string])[],
): readonly string[] {
  const order: string[] = [];
  let left = [...names];
  while (left.length > 0) {
    const among = new Set(left);
    const waitsFor = (name: string): readonly string[] =>
      references.flatMap(([from, to]) => (from === name && to !== name && among.has(to) ? [to] : []));
    const ready = left.filter((name) => waitsFor(name).length === 0);
    const next = ready.length > 0 ? ready : [firstOfCircle(left, waitsFor)];
    order.push(...next);
    left = left.filter((name) => !next.includes(name));
  }
  return order;
}

/** Of a circle that waits for nothing outside of it. */
function firstOfCircle(names: readonly string[], waitsFor: (name: string) => readonly string[]): string {
  const reaches = new Map(names.map((name) => [name, reachable(name, waitsFor)]));
  const circle = names.filter((name) => [...reaches.get(name)!].every((other) => reaches.get(other)!.has(name)));
  return circle.toSorted((a, b) => new Set(waitsFor(a)).size - new Set(waitsFor(b)).size)[0]!;
}

function reachable(name: string, waitsFor: (name: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...waitsFor(name)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...waitsFor(next));
  }
  return seen;
}
