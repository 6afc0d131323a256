/** Which tables refer to which, while a schema is read: whether one leads to another is asked for each foreign key. */
export class Links<T> {
  private readonly to = new Map<T, Set<T>>();
  private readonly from = new Map<T, Set<T>>();

  add(from: T, to: T): void {
    setOf(this.to, from).add(to);
    setOf(this.from, to).add(from);
  }

  /**
   * Whether there is a way along the links. It is looked for from both ends, a table at a time on each: where keys are added in
   * some order of reference, one of the two ends has nowhere to go to.
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
