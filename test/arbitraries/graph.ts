/** Small directed graphs, as columns of edges. */
import * as fc from 'fast-check';

export interface Columns {
  readonly n: number;
  readonly from: number[];
  readonly to: number[];
  /** One bit of three an edge. */
  readonly rel: number[];
}

/** Parallel edges occur, loops do not. */
export function columns(): fc.Arbitrary<Columns> {
  const edge = fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 8 }), fc.constantFrom(1, 2, 4));
  return fc.tuple(fc.integer({ min: 1, max: 9 }), fc.array(edge, { maxLength: 26, size: 'max' })).map(([n, drawn]) => {
    const edges = drawn
      .map(([v, w, rel]) => [v % n, w % n, rel] as const)
      .filter(([v, w]) => v !== w)
      .slice(0, 3 * n);
    return { n, from: edges.map(([v]) => v), to: edges.map(([, w]) => w), rel: edges.map(([, , rel]) => rel) };
  });
}

export interface PricedGraph {
  readonly n: number;
  /** Source, target, 1 if it is costly. */
  readonly edges: readonly (readonly [number, number, number])[];
  /** Per node: a search may begin there, and it may be passed. */
  readonly starts: readonly number[];
  readonly allowed: readonly boolean[];
}

/** Loops occur. */
export function pricedGraph(): fc.Arbitrary<PricedGraph> {
  const edge = fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }), fc.nat({ max: 1 }));
  const node = fc.record({ start: fc.boolean(), closed: fc.nat({ max: 9 }) });
  return fc
    .tuple(fc.array(node, { minLength: 2, maxLength: 7, size: 'max' }), fc.array(edge, { maxLength: 17, size: 'max' }))
    .map(([nodes, edges]) => ({
      n: nodes.length,
      edges: edges.map(([v, w, costly]) => [v % nodes.length, w % nodes.length, costly] as const),
      starts: [...nodes.keys()].filter((v) => nodes[v]!.start),
      allowed: nodes.map(({ start, closed }) => start || closed < 9),
    }));
}

/** One step on a table of pairs; `high` absent: that of a number that fits 32 bits. */
export interface PairStep {
  readonly low: number;
  readonly high: number | undefined;
  readonly add: boolean;
}

export function pairSteps(): fc.Arbitrary<readonly PairStep[]> {
  const step = fc.record({
    low: fc.integer({ min: -30, max: 30 }),
    high: fc.option(fc.integer({ min: -1, max: 1 }), { nil: undefined }),
    add: fc.boolean(),
  });
  return fc.array(step, { maxLength: 400, size: 'max' });
}
