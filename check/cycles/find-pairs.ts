/**
 * Enumerates cycles of two transactions directly. The same two can make several different shapes of one class: a lost
 * update and a read skew are both G-single-item. A search for one shortest cycle per class would show one of them. It
 * also finds longer cycles along one row's versions that levels mention: lost updates Ti rw(r) Tj ww(r)+ Ti, and
 * fractured reads Ti rw(r) Tj ww(r)+ Tk wr Ti. O(edges + pairs of parallel edges), capped.
 */
import { REL } from '../../core/level/index.ts';
import type { CycleClass } from '../../core/level/index.ts';
import type { DependencyGraph } from '../../core/history/index.ts';
import { buildCsr, edgeSources } from '../../graph/index.ts';
import type { Csr } from '../../graph/index.ts';
import { classifyCycle, DATA } from './cycle-classes.ts';
import type { CycleReader } from './cycle-steps.ts';
import { shapesOf } from './shapes.ts';

export interface FoundCycle {
  readonly class: CycleClass;
  /** The edges (places in the CSR) in order, beginning at a transaction. */
  readonly edges: readonly number[];
}

/** The number of parallel edges between two transactions that are examined, and of edges of a row that are followed. */
const PARALLEL = 32;
const FOLLOWED = 64;
const BUDGET = 5_000_000;

/**
 * Returns one cycle per component, class, set of shapes and kind of reads. With `every` it adds one per pair of
 * transactions.
 */
export function findPairs(graph: DependencyGraph, component: Int32Array, reader: CycleReader, every: boolean): FoundCycle[] {
  const search = new PairSearch(graph, component, reader, every);
  search.pairs();
  search.rows();
  return search.kept.found;
}

class PairSearch {
  readonly kept: KeptCycles;
  private readonly graph: DependencyGraph;
  private readonly component: Int32Array;
  private readonly every: boolean;
  private readonly incoming: Csr;
  /** For each transaction, a list of edges that lead to it, and the source that the list belongs to. */
  private readonly listOf: Int32Array;
  private readonly head: Int32Array;
  private readonly length: Int32Array;
  private readonly nextInList: Int32Array;
  private budget = BUDGET;

  constructor(graph: DependencyGraph, component: Int32Array, reader: CycleReader, every: boolean) {
    const { starts, targets, txnCount, nodeCount } = graph;
    this.kept = new KeptCycles(graph, component, reader);
    this.graph = graph;
    this.component = component;
    this.every = every;
    this.incoming = buildCsr(nodeCount, targets, edgeSources(starts));
    this.listOf = new Int32Array(txnCount).fill(-1);
    this.head = new Int32Array(txnCount);
    this.length = new Int32Array(txnCount);
    this.nextInList = new Int32Array(targets.length);
  }

  /** Finds cycles of two transactions. */
  pairs(): void {
    for (let u = 0; u < this.graph.txnCount && this.budget > 0; u++) {
      this.listEdges(u);
      this.joinBack(u);
    }
  }

  /** Lists u's edges to later transactions of its component, by the other end. */
  private listEdges(u: number): void {
    const { component, listOf, head, length, nextInList } = this;
    const { starts, targets, rels, txnCount } = this.graph;
    for (let e = starts[u]; e < starts[u + 1]; e++) {
      const v = targets[e];
      if (v <= u || v >= txnCount || component[v] !== component[u] || (rels[e] & DATA) === 0) continue;
      if (listOf[v] !== u) {
        listOf[v] = u;
        length[v] = 0;
        head[v] = -1;
      }
      if (length[v] >= PARALLEL) continue;
      nextInList[e] = head[v];
      head[v] = e;
      length[v]++;
    }
  }

  /** Joins each edge that returns to u with each listed edge that leads to its source. */
  private joinBack(u: number): void {
    const { incoming, listOf, head, nextInList } = this;
    const { rels, txnCount } = this.graph;
    for (let i = incoming.starts[u]; i < incoming.starts[u + 1]; i++) {
      const back = incoming.order[i];
      const v = incoming.targets[i];
      if (v >= txnCount || v <= u || listOf[v] !== u || (rels[back] & DATA) === 0) continue;
      for (let e = head[v]; e >= 0; e = nextInList[e]) {
        this.budget--;
        this.offer([e], back, u, v);
      }
    }
  }

  /** Finds cycles along the versions of one row. */
  rows(): void {
    const { component } = this;
    const { starts, targets, rels, txnCount } = this.graph;
    for (let u = 0; u < txnCount && this.budget > 0; u++) {
      for (let e = starts[u]; e < starts[u + 1]; e++) {
        if (rels[e] === REL.rw && component[targets[e]] === component[u]) this.followRow(u, e);
      }
    }
  }

  /**
   * Follows the writers that replaced the version of a row that u read, in order, until one leads back to u. That is a
   * write of u on the same row (a lost update) or a read of u (a fractured read, an observed transaction that
   * vanishes).
   */
  private followRow(u: number, antiEdge: number): void {
    const { starts, targets, rels, edges, evidence } = this.graph;
    const row = edges.row[evidence[antiEdge]];
    const path = [antiEdge];
    const passed = new Set<number>([u, targets[antiEdge]]);
    while (path.length < FOLLOWED) {
      const step = this.nextOnRow(targets[path[path.length - 1]], row, passed);
      if (step < 0) break;
      path.push(step);
      const v = targets[step];
      passed.add(v);
      for (let back = starts[v]; back < starts[v + 1]; back++) {
        this.budget--;
        if (targets[back] !== u || (rels[back] & (REL.ww | REL.wr)) === 0) continue;
        if (rels[back] === REL.ww && edges.row[evidence[back]] !== row) continue;
        this.offer(path, back, u, v);
      }
    }
  }

  /** Returns v's ww edge on the row to a transaction that was not passed. */
  private nextOnRow(v: number, row: number, passed: ReadonlySet<number>): number {
    const { starts, targets, rels, edges, evidence } = this.graph;
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      this.budget--;
      if (rels[e] === REL.ww && edges.row[evidence[e]] === row && !passed.has(targets[e])) return e;
    }
    return -1;
  }

  /** `path` leads from u to v, `back` from v to u. */
  private offer(path: readonly number[], back: number, u: number, v: number): void {
    if (this.every) this.kept.consider([...path, back], `${u} ${v}`);
    else if (this.kept.isNew(path[0], back, u, path.length + 1)) this.kept.consider([...path, back], String(this.component[u]));
  }
}

/** Keeps the shortest cycle of each kind. */
class KeptCycles {
  readonly found: FoundCycle[] = [];
  private readonly graph: DependencyGraph;
  private readonly component: Int32Array;
  private readonly reader: CycleReader;
  private readonly seen = new Map<string, number>(); // maps a kind to its place in found
  private readonly tried = new Map<number, number>(); // maps a kind to the length of its cycle

  constructor(graph: DependencyGraph, component: Int32Array, reader: CycleReader) {
    this.graph = graph;
    this.component = component;
    this.reader = reader;
  }

  /**
   * Returns false if a cycle of the same kind and of at most this length was seen in the component. This cheap test
   * spares `consider`, which names the cycle.
   */
  isNew(e: number, f: number, u: number, size: number): boolean {
    const { rels, evidence, edges } = this.graph;
    const same = edges.row[evidence[e]] === edges.row[evidence[f]] ? 1 : 0;
    const one = rels[e] * 3 + this.reader.readKind(e);
    const other = rels[f] * 3 + this.reader.readKind(f);
    const kind = Math.min(one, other) * 128 + Math.max(one, other);
    const key = ((this.component[u] * 16_384 + kind) * 2 + same) * 3 + this.readOrder(e, f);
    if ((this.tried.get(key) ?? Infinity) <= size) return false;
    this.tried.set(key, size);
    return true;
  }

  consider(cycle: readonly number[], place: string): void {
    const { found, graph, reader, seen } = this;
    const kind = classifyCycle(cycle.map((e) => graph.rels[e]));
    if (kind === undefined) return;
    const reads = Math.max(...cycle.map((e) => reader.readKind(e)));
    const key = `${place}|${kind}|${shapesOf(reader.shapeSteps(cycle)).join()}|${reads}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, found.push({ class: kind, edges: cycle }) - 1);
    else if (found[known].edges.length > cycle.length) found[known] = { class: kind, edges: cycle };
  }

  /**
   * Tells whether a read of one transaction came after the other. This distinguishes an observed transaction that
   * vanishes.
   */
  private readOrder(e: number, f: number): number {
    const { rels, evidence, edges } = this.graph;
    const [rw, wr] = rels[e] === REL.rw && rels[f] === REL.wr ? [e, f] : rels[f] === REL.rw && rels[e] === REL.wr ? [f, e] : [-1, -1];
    if (rw < 0) return 0;
    return edges.fromStatement[evidence[rw]] > edges.toStatement[evidence[wr]] ? 2 : 1;
  }
}
