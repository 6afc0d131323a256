/** Tables in an order in which each comes behind those that it refers to; of those that refer to one another in a circle some do not. */
export function inOrderOfReference(
  names: readonly string[],
  references: readonly (readonly [from: string, to: string])[],
): { readonly order: readonly string[]; readonly circular: readonly string[] } {
  const order: string[] = [];
  const circular: string[] = [];
  let left = [...names];
  while (left.length > 0) {
    const waits = (name: string): boolean => references.some(([from, to]) => from === name && to !== name && left.includes(to));
    const ready = left.filter((name) => !waits(name));
    if (ready.length === 0) circular.push(left[0]!);
    const next = ready.length > 0 ? ready : [left[0]!];
    order.push(...next);
    left = left.filter((name) => !next.includes(name));
  }
  return { order, circular };
}
