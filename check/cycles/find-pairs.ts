/**
 * Cycles of two transactions, enumerated directly: the same two can make several different shapes of one class (a lost
 * update and a read skew are both G-single-item), and a search for one shortest cycle per class would show one of them.
 * Also longer ones along one row's versions, which levels speak of: lost updates Ti rw(r) Tj ww(r)+ Ti, and fractured
 * reads Ti rw(r) Tj ww(r)+ Tk wr Ti. O(edges + pairs of parallel edges), capped.
 */
import { REL } from '../../core/index.ts';
import type { CycleClass, DependencyGraph } from '../../core/index.ts';
import { buildCsr, edgeSources } from '../../graph/index.ts';
import { classifyCycle, DATA } from './cycle-classes.ts';
import type { CycleReader } from './cycle-steps.ts';
import { shapesOf } from './shapes.ts';

export interface FoundCycle {
  readonly class: CycleClass;
  /** Edges (places in the CSR) in order, beginning at a transaction. */
  readonly edges: readonly number[];
}

/** Parallel edges between two transactions that are looked at, and edges of a row that are followed. */
const PARALLEL = 32;
const FOLLOWED = 64;
const BUDGET = 5_000_000;

/** One per component, class, set of shapes and kind of reads; with `every` one per pair of transactions besides. */
export function findPairs(graph: DependencyGraph, component: Int32Array, reader: CycleReader, every: boolean): FoundCycle[] {
  const { starts, targets, rels, evidence, edges, txnCount, nodeCount } = graph;
  const sources = edgeSources(starts);
  const incoming = buildCsr(nodeCount, targets, sources);
  const found: FoundCycle[] = [];
  const seen = new Map<string, number>(); // to its place in found
  const tried = new Map<number, number>(); // to the length of the cycle
  const listOf = new Int32Array(txnCount).fill(-1); // source whose list this is
  const head = new Int32Array(txnCount);
  const length = new Int32Array(txnCount);
  const nextInList = new Int32Array(targets.length);
  let budget = BUDGET;

  for (let u = 0; u < txnCount && budget > 0; u++) {
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
    for (let i = incoming.starts[u]; i < incoming.starts[u + 1]; i++) {
      const back = incoming.order[i];
      const v = incoming.targets[i];
      if (v >= txnCount || v <= u || listOf[v] !== u || (rels[back] & DATA) === 0) continue;
      for (let e = head[v]; e >= 0; e = nextInList[e]) {
        budget--;
        if (every || isNew(e, back, u, 2)) consider([e, back], every ? `${u} ${v}` : String(component[u]));
      }
    }
  }
  followRows();
  return found;

  /** A cheap test before the names are worked out: nothing alike, or only longer, was tried in the component. */
  function isNew(e: number, f: number, u: number, size: number): boolean {
    const same = edges.row[evidence[e]] === edges.row[evidence[f]] ? 1 : 0;
    const one = rels[e] * 3 + reader.readKind(e);
    const other = rels[f] * 3 + reader.readKind(f);
    const kind = Math.min(one, other) * 128 + Math.max(one, other);
    const key = ((component[u] * 16_384 + kind) * 2 + same) * 3 + readOrder(e, f);
    if ((tried.get(key) ?? Infinity) <= size) return false;
    tried.set(key, size);
    return true;
  }

  /** Whether a read of one transaction came after the other: tells an observed transaction that vanishes. */
  function readOrder(e: number, f: number): number {
    const [rw, wr] = rels[e] === REL.rw && rels[f] === REL.wr ? [e, f] : rels[f] === REL.rw && rels[e] === REL.wr ? [f, e] : [-1, -1];
    if (rw < 0) return 0;
    return edges.fromStatement[evidence[rw]] > edges.toStatement[evidence[wr]] ? 2 : 1;
  }

  function consider(cycle: readonly number[], place: string): void {
    const kind = classifyCycle(cycle.map((e) => rels[e]));
    if (kind === undefined) return;
    const reads = Math.max(...cycle.map((e) => reader.readKind(e)));
    const key = `${place}|${kind}|${shapesOf(reader.shapeSteps(cycle)).join()}|${reads}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, found.push({ class: kind, edges: cycle }) - 1);
    else if (found[known].edges.length > cycle.length) found[known] = { class: kind, edges: cycle };
  }

  /**
   * u read a version of a row; the writers that replaced it, in order, until one leads back to u: by a write of u on the
   * same row (a lost update) or by a read of u (a fractured read, an observed transaction that vanishes).
   */
  function followRows(): void {
    for (let u = 0; u < txnCount && budget > 0; u++) {
      for (let e = starts[u]; e < starts[u + 1]; e++) {
        if (rels[e] !== REL.rw || component[targets[e]] !== component[u]) continue;
        const row = edges.row[evidence[e]];
        const cycle = [e];
        const passed = new Set<number>([u, targets[e]]);
        while (cycle.length < FOLLOWED) {
          const step = nextOnRow(targets[cycle[cycle.length - 1]], row, passed);
          if (step < 0) break;
          cycle.push(step);
          const v = targets[step];
          passed.add(v);
          for (let back = starts[v]; back < starts[v + 1]; back++) {
            budget--;
            if (targets[back] !== u || (rels[back] & (REL.ww | REL.wr)) === 0) continue;
            if (rels[back] === REL.ww && edges.row[evidence[back]] !== row) continue;
            if (every || isNew(e, back, u, cycle.length + 1)) consider([...cycle, back], every ? `${u} ${v}` : String(component[u]));
          }
        }
      }
    }
  }

  /** v's ww edge on the row to a transaction that was not passed. */
  function nextOnRow(v: number, row: number, passed: ReadonlySet<number>): number {
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      budget--;
      if (rels[e] === REL.ww && edges.row[evidence[e]] === row && !passed.has(targets[e])) return e;
    }
    return -1;
  }
}
