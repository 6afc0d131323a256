import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nonadjacentAntiEdges, buildCsr, edgeSources, shortestCycle, stronglyConnected } from '../../../graph/index.ts';
import type { CycleSpec } from '../../../graph/index.ts';
import { columns as smallGraphs } from '../../arbitraries/graph.ts';
import type { Columns } from '../../arbitraries/graph.ts';
import { always } from '../../property.ts';

function csrOf({ n, from, to, rel }: Columns): {
  nodeCount: number;
  realCount: number;
  starts: Uint32Array;
  targets: Uint32Array;
  rels: Uint16Array;
} {
  const csr = buildCsr(n, from, to);
  return { nodeCount: n, realCount: n, starts: csr.starts, targets: csr.targets, rels: Uint16Array.from(csr.order, (i) => rel[i]!) };
}

function reach({ n, from, to, rel }: Columns, mask: number): boolean[][] {
  const closed = Array.from({ length: n }, (_, v) => Array.from({ length: n }, (_, w) => v === w));
  for (let i = 0; i < from.length; i++) if ((rel[i]! & mask) !== 0) closed[from[i]!]![to[i]!] = true;
  for (let k = 0; k < n; k++) for (let v = 0; v < n; v++) for (let w = 0; w < n; w++) closed[v]![w] ||= closed[v]![k]! && closed[k]![w]!;
  return closed;
}

describe('buildCsr', () => {
  test('keeps every edge once, by source, in the order given', () => {
    const csr = buildCsr(4, [2, 0, 2, 3, 2], [1, 3, 0, 3, 1]);
    expect([...csr.starts]).toEqual([0, 1, 1, 4, 5]);
    expect([...csr.targets]).toEqual([3, 1, 0, 1, 3]);
    expect([...csr.order]).toEqual([1, 0, 2, 4, 3]);
    expect([...edgeSources(csr.starts)]).toEqual([0, 2, 2, 2, 3]);
  });

  test('makes a graph without edges or without nodes', () => {
    expect([...buildCsr(3, [], []).starts]).toEqual([0, 0, 0, 0]);
    expect([...buildCsr(0, [], []).starts]).toEqual([0]);
  });
});

describe('stronglyConnected', () => {
  test('groups two nodes exactly when each reaches the other, over the edges of the mask', () => {
    always(
      fc.tuple(smallGraphs(), fc.integer({ min: 1, max: 7 })),
      { seed: 3, of: 2000, reached: { 'a component of several nodes': 0.2, 'several components': 0.2 } },
      ([columns, mask], reached) => {
        const { starts, targets, rels } = csrOf(columns);
        const { component, count, members, memberStarts } = stronglyConnected(columns.n, starts, targets, rels, mask);
        const closed = reach(columns, mask);
        for (let v = 0; v < columns.n; v++)
          for (let w = 0; w < columns.n; w++) expect(component[v] === component[w]).toBe(closed[v]![w]! && closed[w]![v]!);
        if (count < columns.n) reached('a component of several nodes');
        if (count > 1) reached('several components');
        expect(new Set(component).size).toBe(count);
        for (let c = 0; c < count; c++)
          for (const v of members.subarray(memberStarts[c], memberStarts[c + 1])) expect(component[v]).toBe(c);
      },
    );
  });

  test('takes a chain and a ring of 300,000 nodes without recursion', () => {
    const n = 300_000;
    const from = Array.from({ length: n }, (_, v) => v);
    const ring = buildCsr(
      n,
      from,
      from.map((v) => (v + 1) % n),
    );
    expect(stronglyConnected(n, ring.starts, ring.targets).count).toBe(1);
    const chain = buildCsr(n, from.slice(1), from.slice(0, -1));
    expect(stronglyConnected(n, chain.starts, chain.targets).count).toBe(n);
  });
});

// kinds of the tests below: 1 depends, 2 anti, 4 order
const ANTI = 2;

/** Length of the shortest simple cycle that `fits`, by trying all. */
function bruteForce({ n, from, to, rel }: Columns, fits: (rels: readonly number[]) => boolean): number {
  let best = Infinity;
  const walk = (start: number, v: number, path: number[], rels: number[]): void => {
    for (let i = 0; i < from.length; i++) {
      if (from[i] !== v) continue;
      const w = to[i]!;
      if (w === start && fits([...rels, rel[i]!])) best = Math.min(best, path.length);
      else if (w > start && !path.includes(w)) walk(start, w, [...path, w], [...rels, rel[i]!]);
    }
  };
  for (let v = 0; v < n; v++) walk(v, v, [v], []);
  return best;
}

const count = (rels: readonly number[]): number => rels.filter((rel) => rel === ANTI).length;
const adjacent = (rels: readonly number[]): boolean => rels.some((rel, i) => rel === ANTI && rels[(i + 1) % rels.length] === ANTI);

const CASES: readonly { readonly name: string; readonly spec: CycleSpec; readonly fits: (rels: readonly number[]) => boolean }[] = [
  {
    name: 'no anti edge and one order edge',
    spec: { allowed: 5, anti: ANTI, antis: 'none', first: 4, some: [4] },
    fits: (r) => count(r) === 0 && r.includes(4),
  },
  {
    name: 'both other kinds',
    spec: { allowed: 5, anti: ANTI, antis: 'none', first: 1, some: [1, 4] },
    fits: (r) => count(r) === 0 && r.includes(4) && r.includes(1),
  },
  {
    name: 'exactly one anti edge',
    spec: { allowed: 3, anti: ANTI, antis: 'one', first: 2, some: [] },
    fits: (r) => count(r) === 1 && !r.includes(4),
  },
  {
    name: 'exactly one anti edge and an order edge',
    spec: { allowed: 7, anti: ANTI, antis: 'one', first: 2, some: [4] },
    fits: (r) => count(r) === 1 && r.includes(4),
  },
  {
    name: 'anti edges, none adjacent',
    spec: { allowed: 7, anti: ANTI, antis: 'nonadjacent', first: 2, some: [] },
    fits: (r) => count(r) > 1 && !adjacent(r),
  },
  {
    name: 'anti edges, two adjacent',
    spec: { allowed: 7, anti: ANTI, antis: 'adjacent', first: 2, some: [] },
    fits: (r) => count(r) > 1 && adjacent(r),
  },
];

describe('shortestCycle', () => {
  test.each(CASES)('is as short as the shortest of all cycles with $name', ({ spec, fits }) => {
    always(smallGraphs(), { seed: 5, of: 1500, reached: { 'a cycle': 0.05, 'no cycle': 0.05 } }, (columns, reached) => {
      const graph = csrOf(columns);
      const {
        component,
        count: components,
        members,
        memberStarts,
      } = stronglyConnected(columns.n, graph.starts, graph.targets, graph.rels, spec.allowed);
      let best = Infinity;
      for (let c = 0; c < components; c++) {
        if (memberStarts[c + 1]! - memberStarts[c]! < 2) continue;
        const { cycle, exhausted } = shortestCycle(graph, spec, members.subarray(memberStarts[c], memberStarts[c + 1]), component);
        expect(exhausted).toBe(false);
        if (cycle === undefined) continue;
        expect(fits(cycle.map((e) => graph.rels[e]!))).toBe(true);
        expect(new Set(cycle.map((e) => graph.targets[e])).size).toBe(cycle.length);
        best = Math.min(best, cycle.length);
      }
      expect(best).toBe(bruteForce(columns, fits));
      reached(best < Infinity ? 'a cycle' : 'no cycle');
    });
  });

  test('passes over free nodes without counting them', () => {
    // 0 -anti-> 1 -order-> (3) -order-> (4) -order-> 0, and 1 -depends-> 2 -depends-> 0
    const columns = { n: 5, from: [0, 1, 3, 4, 1, 2], to: [1, 3, 4, 0, 2, 0], rel: [2, 4, 4, 4, 1, 1] };
    const graph = { ...csrOf(columns), realCount: 3 };
    const { component, members } = stronglyConnected(5, graph.starts, graph.targets);
    const { cycle } = shortestCycle(graph, { allowed: 7, anti: ANTI, antis: 'one', first: ANTI, some: [] }, members, component);
    expect(cycle!.map((e) => graph.targets[e])).toEqual([1, 3, 4, 0]);
  });

  test('says that its budget ended the search', () => {
    const n = 2000;
    const ring = {
      n,
      from: Array.from({ length: n }, (_, v) => v),
      to: Array.from({ length: n }, (_, v) => (v + 1) % n),
      rel: Array.from({ length: n }, () => 1),
    };
    const graph = csrOf(ring);
    const { component, members } = stronglyConnected(n, graph.starts, graph.targets);
    const { cycle, exhausted } = shortestCycle(graph, { allowed: 1, anti: ANTI, antis: 'none', first: 1, some: [] }, members, component, {
      budget: 10_000,
    });
    expect(exhausted).toBe(true);
    expect(cycle).toHaveLength(n);
  });
});

describe('nonadjacentAntiEdges', () => {
  test('marks an anti edge exactly when some closed walk through it has no two adjacent', () => {
    always(smallGraphs(), { seed: 9, of: 1000, reached: { 'marked edges': 0.2, 'edges not marked': 0.2 } }, (columns, reached) => {
      const graph = csrOf(columns);
      const marked = nonadjacentAntiEdges(columns.n, graph.starts, graph.targets, graph.rels, 7, ANTI);
      // closure over (node, arrived by an anti edge)
      const doubled: Columns = { n: 2 * columns.n, from: [], to: [], rel: [] };
      columns.from.forEach((v, k) => {
        const w = columns.to[k]!;
        const step = (a: number, b: number): void => void (doubled.from.push(a), doubled.to.push(b), doubled.rel.push(1));
        if (columns.rel[k] === ANTI) step(2 * v, 2 * w + 1);
        else for (const side of [0, 1]) step(2 * v + side, 2 * w);
      });
      const closed = reach(doubled, 1);
      const sources = edgeSources(graph.starts);
      graph.rels.forEach((rel, e) => {
        expect(marked[e] === 1).toBe(rel === ANTI && closed[2 * graph.targets[e]! + 1]![2 * sources[e]!]!);
      });
      if (marked.includes(1)) reached('marked edges');
      if (graph.rels.some((rel, e) => rel === ANTI && marked[e] === 0)) reached('edges not marked');
    });
  });
});
