/**
 * Orders tables so that each follows those that it refers to. If tables refer to one another in a cycle, the one that
 * waits for the fewest comes first, so that few references point ahead. Without cycles, time is linear in tables and
 * references, as a schema may have thousands of both. Each cycle costs a pass over the tables left.
 */
export function inOrderOfReference(
  names: readonly string[],
  references: readonly (readonly [from: string, to: string])[],
): readonly string[] {
  const place = new Map(names.map((name, at) => [name, at]));
  const left = new Left(names.length, references, place);
  const order: number[] = [];
  let ready = left.ready();
  while (order.length < names.length) {
    const next = ready.length > 0 ? ready : [left.firstOfCircle()];
    order.push(...next);
    ready = left.without(next);
  }
  return order.map((at) => names[at]!);
}

/** The tables that are not in the order yet, as numbers, and the tables that each waits for. */
class Left {
  private readonly waitsFor: readonly Set<number>[];
  private readonly waiting: readonly Set<number>[];
  private readonly tables: Set<number>;

  constructor(count: number, references: readonly (readonly [string, string])[], place: ReadonlyMap<string, number>) {
    this.waitsFor = Array.from({ length: count }, () => new Set<number>());
    this.waiting = Array.from({ length: count }, () => new Set<number>());
    this.tables = new Set(this.waitsFor.keys());
    for (const [from, to] of references) {
      const [source, target] = [place.get(from), place.get(to)];
      if (source === undefined || target === undefined || source === target) continue;
      this.waitsFor[source]!.add(target);
      this.waiting[target]!.add(source);
    }
  }

  ready(): readonly number[] {
    return [...this.tables].filter((at) => this.waitsFor[at]!.size === 0);
  }

  /** Removes these tables. Returns the tables that then wait for nothing, in the order of their numbers. */
  without(taken: readonly number[]): readonly number[] {
    const freed = new Set<number>();
    for (const at of taken) this.tables.delete(at);
    for (const at of taken)
      for (const other of this.waiting[at]!) {
        this.waitsFor[other]!.delete(at);
        if (this.waitsFor[other]!.size === 0 && this.tables.has(other)) freed.add(other);
      }
    return [...freed].sort((a, b) => a - b);
  }

  /** The table that waits for the fewest others, among the cycles that wait for nothing outside. */
  firstOfCircle(): number {
    const circleOf = this.circles();
    const open = new Set<number>();
    for (const at of this.tables)
      for (const to of this.waitsFor[at]!) if (circleOf.get(to) !== circleOf.get(at)) open.add(circleOf.get(at)!);
    const within = [...this.tables].filter((at) => !open.has(circleOf.get(at)!));
    return within.sort((a, b) => this.waitsFor[a]!.size - this.waitsFor[b]!.size || a - b)[0]!;
  }

  /**
   * Strongly connected components (Kosaraju), in two walks. The second walk goes against the references, and begins
   * with the nodes that the first one left last.
   */
  private circles(): ReadonlyMap<number, number> {
    const ended: number[] = [];
    const met = new Set<number>();
    for (const at of this.tables) walk(at, this.waitsFor, met, (each) => ended.push(each));
    const circleOf = new Map<number, number>();
    const again = new Set<number>([...this.waiting.keys()].filter((at) => !this.tables.has(at)));
    for (const at of ended.reverse()) walk(at, this.waiting, again, (each) => circleOf.set(each, at));
    return circleOf;
  }
}

/** Depth-first search without recursion. It calls `leave` when all nodes behind a node were met. */
function walk(from: number, edges: readonly ReadonlySet<number>[], met: Set<number>, leave: (node: number) => void): void {
  if (met.has(from)) return;
  met.add(from);
  const path = [{ node: from, rest: edges[from]!.values() }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { value, done } = top.rest.next();
    if (done === true) {
      leave(top.node);
      path.pop();
    } else if (!met.has(value)) {
      met.add(value);
      path.push({ node: value, rest: edges[value]!.values() });
    }
  }
}
