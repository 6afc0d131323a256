/** Puts columns and names that are made equal somewhere into one class. A value of one may be a value of the other. */
export class Classes {
  private readonly classes = new Map<string, { readonly top: string; readonly members: string[] }>();

  join(a: string, b: string): void {
    const [one, two] = [this.at(a), this.at(b)];
    if (one === two) return;
    const [large, small] = one.members.length < two.members.length ? [two, one] : [one, two];
    for (const node of small.members) {
      large.members.push(node);
      this.classes.set(node, large);
    }
  }

  /** Returns the node that represents its class. */
  of(node: string): string {
    return this.at(node).top;
  }

  members(node: string): readonly string[] {
    return this.at(node).members;
  }

  private at(node: string): { readonly top: string; readonly members: string[] } {
    const known = this.classes.get(node) ?? { top: node, members: [node] };
    this.classes.set(node, known);
    return known;
  }
}
