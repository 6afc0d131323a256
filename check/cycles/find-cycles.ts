/**
 * Minimal cycles of a dependency graph: per class and strongly connected component one shortest cycle, and the pairs of
 * find-pairs.ts. Whether a class is there at all is settled in linear time where it can be (components; closed walks
 * without adjacent anti-dependencies), the search within a component has a budget.
 *
 * Where a component holds a data cycle already, session and real-time cycles violate no level more: unless `every`
 * is asked for they are left out there.
 */
import { REL } from '../../core/index.ts';
import type { CycleClass, DependencyGraph } from '../../core/index.ts';
import { antiEdgesApart, shortestCycle, stronglyConnected } from '../../graph/index.ts';
import type { Components, CycleSpec } from '../../graph/index.ts';
import { CYCLE_CLASSES, classifyCycle, DATA, DEPENDS, FAMILIES } from './cycle-classes.ts';
import type { CycleReader } from './cycle-steps.ts';
import { findPairs } from './find-pairs.ts';
import type { FoundCycle } from './find-pairs.ts';

export interface CycleFindings {
  /** In order of classification. */
  readonly cycles: readonly FoundCycle[];
  /** Classes that a budget left open: none was found, one may exist. */
  readonly undecided: readonly CycleClass[];
}

export function findCycles(graph: DependencyGraph, reader: CycleReader, every: boolean, budget: number): CycleFindings {
  const { nodeCount, txnCount, starts, targets, rels } = graph;
  const kernel = { nodeCount, realCount: txnCount, starts, targets, rels };
  const componentsOf = remember((mask): Components => stronglyConnected(nodeCount, starts, targets, rels, mask));
  const apartOf = remember((mask): Uint8Array => antiEdgesApart(nodeCount, starts, targets, rels, mask, DATA & ~DEPENDS));
  const cycles: FoundCycle[] = [];
  const undecided = new Set<CycleClass>();

  for (const { family, adds } of FAMILIES) {
    const whole = componentsOf(DATA | adds);
    if (whole.count === nodeCount) continue; // no cycle of this family
    const earlier = cycles.length;
    if (family === 'data') cycles.push(...findPairs(graph, whole.component, reader, every));
    const known = new Set(cycles.map(({ edges }) => keyOf(edges)));
    for (const row of CYCLE_CLASSES) {
      if (row.family !== family) continue;
      const { spec } = row;
      const components = componentsOf(spec.allowed);
      if (components.count === nodeCount) continue;
      const { component, members, memberStarts } = components;
      const done = new Set<number>();
      for (const cycle of cycles) if (cycle.class === row.class && cycle.edges.length === 2) done.add(component[targets[cycle.edges[0]]]);
      const explained = new Set<number>();
      for (const cycle of cycles.slice(0, earlier)) for (const e of cycle.edges) explained.add(whole.component[targets[e]]);
      const firstEdges = spec.antis === 'one' || spec.antis === 'apart' ? apartOf(spec.allowed) : undefined;
      for (let c = 0; c < components.count; c++) {
        const from = memberStarts[c];
        if (memberStarts[c + 1] - from < 2 || done.has(c)) continue;
        if (!every && explained.has(whole.component[members[from]])) continue;
        const nodes = members.subarray(from, memberStarts[c + 1]);
        const result = shortestCycle(kernel, spec, nodes, component, { budget, ...(firstEdges === undefined ? {} : { firstEdges }) });
        if (result.cycle === undefined) {
          if (result.exhausted) undecided.add(row.class);
          continue;
        }
        if (!known.has(keyOf(result.cycle))) cycles.push({ class: row.class, edges: result.cycle });
      }
    }
  }
  findCausal();
  const rank = new Map(CYCLE_CLASSES.map((row, i) => [row.class, i]));
  cycles.sort((a, b) => rank.get(a.class)! - rank.get(b.class)! || a.edges.length - b.edges.length);
  return { cycles, undecided: [...undecided] };

  /**
   * Cycles of wr and so alone: they violate `rc`, `ra`, `cc` too, whatever else a shorter cycle of the class shows.
   * First those of wr alone, then, where there is none, those with so.
   */
  function findCausal(): void {
    const shown = new Set<number>(); // transactions on such cycles
    const causal = REL.wr | REL.so;
    for (const { edges } of cycles) if (edges.every((e) => (rels[e] & causal) !== 0)) for (const e of edges) shown.add(targets[e]);
    for (const allowed of [REL.wr, causal]) {
      const { count, component, members, memberStarts } = componentsOf(allowed);
      for (let c = 0; c < count; c++) {
        const nodes = members.subarray(memberStarts[c], memberStarts[c + 1]);
        if (nodes.length < 2 || nodes.some((v) => shown.has(v))) continue;
        const { cycle } = shortestCycle(kernel, { ...CAUSAL, allowed }, nodes, component, { budget });
        const name = cycle === undefined ? undefined : classifyCycle(cycle.map((e) => rels[e]));
        if (cycle === undefined || name === undefined) continue;
        cycles.push({ class: name, edges: cycle });
        for (const e of cycle) shown.add(targets[e]);
      }
    }
  }
}

const CAUSAL: CycleSpec = { allowed: 0, anti: REL.rw | REL.rwp, antis: 'none', first: REL.wr, some: [REL.wr] };

/** The same for a cycle wherever it is entered. */
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
