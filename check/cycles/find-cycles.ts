/**
 * Finds minimal cycles of a dependency graph: one shortest cycle per class and strongly connected component, and the
 * pairs of find-pairs.ts. Whether a class exists at all is settled in linear time where possible (components, and
 * closed walks without adjacent anti-dependencies). The search within a component has a budget.
 *
 * In a component that holds a data cycle, session and real-time cycles violate no further level. They are left out
 * there unless `every` is asked for.
 */
import { REL } from '../../core/index.ts';
import type { CycleClass, DependencyGraph } from '../../core/index.ts';
import { nonadjacentAntiEdges, shortestCycle, stronglyConnected } from '../../graph/index.ts';
import type { Components, CycleGraph, CycleSpec } from '../../graph/index.ts';
import { CYCLE_CLASSES, classifyCycle, DATA, DEPENDS, FAMILIES } from './cycle-classes.ts';
import type { CycleClassRow } from './cycle-classes.ts';
import type { CycleReader } from './cycle-steps.ts';
import { findPairs } from './find-pairs.ts';
import type { FoundCycle } from './find-pairs.ts';

export interface CycleFindings {
  /** The cycles in order of classification. */
  readonly cycles: readonly FoundCycle[];
  /** The classes that a budget left open: no cycle was found, but one may exist. */
  readonly undecided: readonly CycleClass[];
}

export function findCycles(graph: DependencyGraph, reader: CycleReader, every: boolean, budget: number): CycleFindings {
  const search = new CycleSearch(graph, reader, every, budget);
  for (const row of FAMILIES) search.family(row);
  search.causal();
  const rank = new Map(CYCLE_CLASSES.map((row, i) => [row.class, i]));
  const cycles = search.cycles.toSorted((a, b) => rank.get(a.class)! - rank.get(b.class)! || a.edges.length - b.edges.length);
  return { cycles, undecided: [...search.undecided] };
}

class CycleSearch {
  readonly cycles: FoundCycle[] = [];
  readonly undecided = new Set<CycleClass>();
  private readonly graph: DependencyGraph;
  private readonly reader: CycleReader;
  private readonly every: boolean;
  private readonly budget: number;
  private readonly kernel: CycleGraph;
  private readonly componentsOf: (mask: number) => Components;
  private readonly nonadjacentOf: (mask: number) => Uint8Array;

  constructor(graph: DependencyGraph, reader: CycleReader, every: boolean, budget: number) {
    const { nodeCount, txnCount, starts, targets, rels } = graph;
    this.graph = graph;
    this.reader = reader;
    this.every = every;
    this.budget = budget;
    this.kernel = { nodeCount, realCount: txnCount, starts, targets, rels };
    this.componentsOf = remember((mask): Components => stronglyConnected(nodeCount, starts, targets, rels, mask));
    this.nonadjacentOf = remember((mask): Uint8Array => nonadjacentAntiEdges(nodeCount, starts, targets, rels, mask, DATA & ~DEPENDS));
  }

  /**
   * Searches all classes of a family. Components that an earlier family explains are left out unless every cycle is
   * asked for.
   */
  family({ family, adds }: (typeof FAMILIES)[number]): void {
    const { graph, cycles } = this;
    const whole = this.componentsOf(DATA | adds);
    if (whole.count === graph.nodeCount) return; // the family has no cycle
    const explained = new Set<number>();
    if (!this.every) for (const { edges } of cycles) for (const e of edges) explained.add(whole.component[graph.targets[e]]);
    if (family === 'data') cycles.push(...findPairs(graph, whole.component, this.reader, this.every));
    const known = new Set(cycles.map(({ edges }) => keyOf(edges)));
    for (const row of CYCLE_CLASSES) if (row.family === family) this.class(row, known, (v) => explained.has(whole.component[v]));
  }

  /** Finds one shortest cycle of the class in each component that has no cycle of two transactions. */
  private class({ class: name, spec }: CycleClassRow, known: ReadonlySet<string>, isExplained: (node: number) => boolean): void {
    const { graph, cycles } = this;
    const { count, component, members, memberStarts } = this.componentsOf(spec.allowed);
    if (count === graph.nodeCount) return;
    const done = new Set<number>();
    for (const cycle of cycles) if (cycle.class === name && cycle.edges.length === 2) done.add(component[graph.targets[cycle.edges[0]]]);
    const firstEdges = spec.antis === 'one' || spec.antis === 'nonadjacent' ? this.nonadjacentOf(spec.allowed) : undefined;
    const options = { budget: this.budget, ...(firstEdges === undefined ? {} : { firstEdges }) };
    for (let c = 0; c < count; c++) {
      const from = memberStarts[c];
      if (memberStarts[c + 1] - from < 2 || done.has(c) || isExplained(members[from])) continue;
      const { cycle, exhausted } = shortestCycle(this.kernel, spec, members.subarray(from, memberStarts[c + 1]), component, options);
      if (cycle === undefined) {
        if (exhausted) this.undecided.add(name);
      } else if (!known.has(keyOf(cycle))) cycles.push({ class: name, edges: cycle });
    }
  }

  /**
   * Finds cycles of wr and so alone. They violate `rc`, `ra`, `cc` too, whatever a shorter cycle of the class shows.
   * Cycles of wr alone come first, and those with so where there is none.
   */
  causal(): void {
    const { cycles } = this;
    const { rels, targets } = this.graph;
    const shown = new Set<number>(); // transactions on these cycles
    const causal = REL.wr | REL.so;
    for (const { edges } of cycles) if (edges.every((e) => (rels[e] & causal) !== 0)) for (const e of edges) shown.add(targets[e]);
    for (const allowed of [REL.wr, causal]) {
      const { count, component, members, memberStarts } = this.componentsOf(allowed);
      for (let c = 0; c < count; c++) {
        const nodes = members.subarray(memberStarts[c], memberStarts[c + 1]);
        if (nodes.length < 2 || nodes.some((v) => shown.has(v))) continue;
        const { cycle } = shortestCycle(this.kernel, { ...CAUSAL, allowed }, nodes, component, { budget: this.budget });
        const name = cycle === undefined ? undefined : classifyCycle(cycle.map((e) => rels[e]));
        if (cycle === undefined || name === undefined) continue;
        cycles.push({ class: name, edges: cycle });
        for (const e of cycle) shown.add(targets[e]);
      }
    }
  }
}

const CAUSAL: CycleSpec = { allowed: 0, anti: REL.rw | REL.rwp, antis: 'none', first: REL.wr, some: [REL.wr] };

/** Returns the same key for a cycle wherever it is entered. */
function keyOf(edges: readonly number[]): string {
  return [...edges].sort((a, b) => a - b).join();
}

function remember<T>(make: (mask: number) => T): (mask: number) => T {
  const made = new Map<number, T>();
  return (mask) => {
    let value = made.get(mask);
    if (value === undefined) made.set(mask, (value = make(mask)));
    return value;
  };
}
