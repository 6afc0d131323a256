import { describe, expect, test } from 'vitest';
import { PairTable, buildCsr, cheapestCycle } from '../../../graph/index.ts';
import { mulberry } from '../mulberry.ts';

describe('PairTable', () => {
  test('numbers pairs as a Map of strings does', () => {
    const next = mulberry(5);
    for (let round = 0; round < 50; round++) {
      const table = new PairTable(1);
      const map = new Map<string, number>();
      const range = 1 + Math.floor(next() * 60);
      for (let i = 0; i < 400; i++) {
        const low = Math.floor(next() * range) - (range >> 1);
        const high = next() < 0.5 ? low >> 31 : Math.floor(next() * 3) - 1;
        const name = `${low},${high}`;
        expect(table.find(low, high)).toBe(map.get(name) ?? -1);
        if (next() < 0.6) {
          if (!map.has(name)) map.set(name, map.size);
          const index = table.add(low, high);
          expect(index).toBe(map.get(name));
          expect([table.lowOf(index), table.highOf(index)]).toEqual([low, high]);
        }
      }
      expect(table.size).toBe(map.size);
    }
  });
});

describe('cheapestCycle', () => {
  test('finds the fewest dear edges, then the fewest edges, as trying all paths does', () => {
    const next = mulberry(9);
    let cyclic = 0;
    for (let round = 0; round < 2000; round++) {
      const n = 2 + Math.floor(next() * 6);
      const from: number[] = [];
      const to: number[] = [];
      const cost: number[] = [];
      for (let i = Math.floor(next() * 2.5 * n); i > 0; i--) {
        from.push(Math.floor(next() * n));
        to.push(Math.floor(next() * n));
        cost.push(next() < 0.5 ? 1 : 0);
      }
      const csr = buildCsr(n, from, to);
      const dear = Uint8Array.from(csr.order, (i) => cost[i]!);
      const starts = Array.from({ length: n }, (_, v) => v).filter(() => next() < 0.7);
      const allowed = Array.from({ length: n }, (_, v) => next() < 0.9 || starts.includes(v));
      // all simple paths
      let best = Infinity;
      const walk = (root: number, v: number, seen: ReadonlySet<number>, sum: number): void => {
        for (let e = csr.starts[v]!; e < csr.starts[v + 1]!; e++) {
          const w = csr.targets[e]!;
          const total = sum + 1 + 100 * dear[e]!;
          if (w === root) best = Math.min(best, total);
          else if (allowed[w] && !seen.has(w)) walk(root, w, new Set([...seen, w]), total);
        }
      };
      for (const root of starts) walk(root, root, new Set([root]), 0);
      const cycle = cheapestCycle({ starts: csr.starts, targets: csr.targets, dear }, starts, (v) => allowed[v]!);
      expect(cycle === undefined).toBe(best === Infinity);
      if (cycle === undefined) continue;
      cyclic++;
      const sourceOf = (e: number): number => csr.starts.findLastIndex((start) => start <= e);
      cycle.forEach((e, i) => expect(sourceOf(cycle[(i + 1) % cycle.length]!)).toBe(csr.targets[e]));
      expect(cycle.reduce((sum, e) => sum + 1 + 100 * dear[e]!, 0)).toBe(best);
    }
    expect(cyclic).toBeGreaterThan(500);
  });
});
