/** The references between tables while a schema is read. Each foreign key asks whether one table leads to another. */
export class Links<T> {
  private readonly to = new Map<T, Set<T>>();
  private readonly from = new Map<T, Set<T>>();

  add(from: T, to: T): void {
    setOf(this.to, from).add(to);
    setOf(this.from, to).add(from);
  }

  /**
   * Whether the references lead from one table to the other. The search goes from both ends, one table at a time. If
   * keys are added in some order of reference, one of the ends has no further reference and the search stops early.
   */
  lead(from: T, to: T): boolean {
    if (from === to) return true;
    const end = (at: T, links: Map<T, Set<T>>): End<T> => ({ met: new Set([at]), open: [at], links });
    const ends = [end(from, this.to), end(to, this.from)] as const;
    for (;;)
      for (const [n, { met, open, links }] of ends.entries()) {
        const at = open.pop();
        if (at === undefined) return false;
        for (const other of links.get(at) ?? []) {
          if (ends[1 - n]!.met.has(other)) return true;
          if (met.has(other)) continue;
          met.add(other);
          open.push(other);
        }
      }
  }
}

interface End<T> {
  readonly met: Set<T>;
  readonly open: T[];
  readonly links: ReadonlyMap<T, ReadonlySet<T>>;
}

function setOf<T>(sets: Map<T, Set<T>>, of: T): Set<T> {
  const set = sets.get(of) ?? new Set<T>();
  sets.set(of, set);
  return set;
}
