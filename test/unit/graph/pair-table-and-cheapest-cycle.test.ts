import { describe, expect, test } from 'vitest';
import { PairTable, buildCsr, cheapestCycle } from '../../../graph/index.ts';
import { pairSteps, pricedGraph } from '../../arbitraries/graph.ts';
import { always } from '../../property.ts';

describe('PairTable', () => {
  test('numbers pairs as a Map of strings does', () => {
    always(pairSteps(), { seed: 5, of: 150, reached: { 'a table that grew': 0.5 } }, (steps, reached) => {
      const table = new PairTable(1);
      const map = new Map<string, number>();
      for (const { low, high: given, add } of steps) {
        const high = given ?? low >> 31;
        const name = `${low},${high}`;
        expect(table.find(low, high)).toBe(map.get(name) ?? -1);
        if (!add) continue;
        if (!map.has(name)) map.set(name, map.size);
        const index = table.add(low, high);
        expect(index).toBe(map.get(name));
        expect([table.lowOf(index), table.highOf(index)]).toEqual([low, high]);
      }
      expect(table.size).toBe(map.size);
      if (map.size > 20) reached('a table that grew');
    });
  });
});

describe('cheapestCycle', () => {
  test('finds the fewest costly edges, then the fewest edges, as trying all paths does', () => {
    always(
      pricedGraph(),
      { seed: 9, of: 2000, reached: { 'a cycle': 0.25, 'no cycle': 0.1 } },
      ({ n, edges, starts, allowed }, reached) => {
        const csr = buildCsr(
          n,
          edges.map(([v]) => v),
          edges.map(([, w]) => w),
        );
        const costly = Uint8Array.from(csr.order, (i) => edges[i]![2]);
        // all simple paths
        let best = Infinity;
        const walk = (root: number, v: number, seen: ReadonlySet<number>, sum: number): void => {
          for (let e = csr.starts[v]!; e < csr.starts[v + 1]!; e++) {
            const w = csr.targets[e]!;
            const total = sum + 1 + 100 * costly[e]!;
            if (w === root) best = Math.min(best, total);
            else if (allowed[w] && !seen.has(w)) walk(root, w, new Set([...seen, w]), total);
          }
        };
        for (const root of starts) walk(root, root, new Set([root]), 0);
        const cycle = cheapestCycle({ starts: csr.starts, targets: csr.targets, costly }, starts, (v) => allowed[v]!);
        expect(cycle === undefined).toBe(best === Infinity);
        reached(cycle === undefined ? 'no cycle' : 'a cycle');
        if (cycle === undefined) return;
        const sourceOf = (e: number): number => csr.starts.findLastIndex((start) => start <= e);
        cycle.forEach((e, i) => expect(sourceOf(cycle[(i + 1) % cycle.length]!)).toBe(csr.targets[e]));
        expect(cycle.reduce((sum, e) => sum + 1 + 100 * costly[e]!, 0)).toBe(best);
      },
    );
  });
});
