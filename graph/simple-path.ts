/**
 * A path from a start, with the next edge to try at each of its nodes. A depth-first search over simple paths keeps
 * this state. Nodes beyond `realCount` cost nothing and may be passed again.
 */
export class SimplePath {
  readonly edges: number[] = [];
  /** The number of transactions on the path, the start included. */
  length = 1;
  private readonly nodes: number[];
  private readonly states: number[] = [0];
  private readonly cursors: number[];
  private readonly onPath = new Set<number>();
  private readonly starts: Uint32Array;
  private readonly realCount: number;

  constructor(s: number, starts: Uint32Array, realCount: number) {
    this.nodes = [s];
    this.cursors = [starts[s]];
    this.starts = starts;
    this.realCount = realCount;
  }

  /** The number of edges on the path, or -1 when the start was left too. */
  get depth(): number {
    return this.nodes.length - 1;
  }

  get state(): number {
    return this.states[this.depth];
  }

  has(v: number): boolean {
    return this.onPath.has(v);
  }

  /** Returns the next edge out of the last node, or -1 when all were tried. */
  nextEdge(): number {
    const { depth } = this;
    const e = this.cursors[depth];
    if (e >= this.starts[this.nodes[depth] + 1]) return -1;
    this.cursors[depth] = e + 1;
    return e;
  }

  push(e: number, w: number, state: number): void {
    if (w < this.realCount) {
      this.onPath.add(w);
      this.length++;
    }
    this.nodes.push(w);
    this.states.push(state);
    this.cursors.push(this.starts[w]);
    this.edges.push(e);
  }

  pop(): void {
    const v = this.nodes.pop()!;
    this.states.pop();
    this.cursors.pop();
    this.edges.pop();
    if (this.nodes.length > 0 && v < this.realCount) {
      this.onPath.delete(v);
      this.length--;
    }
  }
}
