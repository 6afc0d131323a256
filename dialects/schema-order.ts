/**
 * Tables in an order in which each comes behind those that it refers to. Of those that refer to one another in a circle the one
 * that waits for the fewest comes first, so that the fewest references point ahead.
 */
export function inOrderOfReference(
  names: readonly string[],
  references: readonly (readonly [from: string, to: string])[],
): readonly string[] {
  const order: string[] = [];
  let left = [...names];
  while (left.length > 0) {
    const waitsFor = (name: string): number =>
      new Set(references.filter(([from, to]) => from === name && to !== name && left.includes(to)).map(([, to]) => to)).size;
    const ready = left.filter((name) => waitsFor(name) === 0);
    const first = [...left].sort((a, b) => waitsFor(a) - waitsFor(b))[0]!;
    const next = ready.length > 0 ? ready : [first];
    order.push(...next);
    left = left.filter((name) => !next.includes(name));
  }
  return order;
}
