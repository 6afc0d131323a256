/** Classes of small random graphs against a search over all simple cycles. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkGraph, classifyCycle } from '../../../../check/index.ts';
import { REL } from '../../../../core/level/index.ts';
import type { Anomaly } from '../../../../core/verdict/index.ts';
import { dependencyPlan } from '../../../arbitraries/dependency-plan.ts';
import type { Plan } from '../../../arbitraries/dependency-plan.ts';
import { always } from '../../../property.ts';
import { define, everyCycle, graphOf } from './planned-graph.ts';

const GRAPHS = 10_000;

function shortest(anomalies: readonly Anomaly[]): Record<string, number> {
  const least: Record<string, number> = {};
  for (const anomaly of anomalies) least[anomaly.class] = Math.min(least[anomaly.class] ?? Infinity, anomaly.cycle.length);
  return least;
}

test(`finds the same classes, with cycles as short, as a search over all simple cycles of ${GRAPHS} random graphs`, () => {
  // every class must have been there to be found
  always(
    dependencyPlan(),
    { seed: 7, of: GRAPHS, least: 1000, reached: Object.fromEntries(ALL.map((name) => [name, 1])) },
    (plan, reached) => {
      const { graph, arcs } = graphOf(plan);
      const expected: Record<string, number> = {};
      for (const cycle of everyCycle(arcs)) {
        if (cycle.class === undefined) continue;
        expect(classifyCycle(cycle.rels.map((rel) => REL[rel]))).toBe(cycle.class);
        expected[cycle.class] = Math.min(expected[cycle.class] ?? Infinity, cycle.length);
      }
      const all = checkGraph(graph, { report: 'all' });
      expect(shortest(all.anomalies)).toEqual(expected);
      Object.keys(expected).forEach(reached);
      // a report of one per class leaves out session cycles that prove nothing more, and answers the same
      const brief = checkGraph(graph);
      const data = Object.entries(expected).filter(([name]) => !/session|realtime/.test(name));
      expect(shortest(brief.anomalies)).toMatchObject(Object.fromEntries(data));
      expect(brief.levels).toEqual(all.levels);
      for (const anomaly of all.anomalies) {
        expect(define(anomaly.cycle.map((step) => step.rel))).toBe(anomaly.class);
        expect(new Set(anomaly.transactions).size).toBe(anomaly.cycle.length);
        anomaly.cycle.forEach((step, j) => {
          expect(step.to).toBe(anomaly.cycle[(j + 1) % anomaly.cycle.length]!.from);
          expect(arcs.some((arc) => arc.from === step.from && arc.to === step.to && arc.rel === step.rel)).toBe(true);
        });
      }
    },
  );
});

const ALL = ['G0', 'G1c', 'G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent', 'G2-item', 'G2'].flatMap((base) => [
  base,
  `${base}-session`,
  `${base}-realtime`,
]);

test('gives the same classes when transactions, sessions, rows and edges are renamed and shuffled', () => {
  const shuffled = dependencyPlan().chain((plan) =>
    fc.record({ plan: fc.constant(plan), order: orderOf(plan.txns.length), rows: orderOf(3), data: orderOf(plan.data.length) }),
  );
  always(shuffled, { seed: 11, of: 1000, reached: { 'an anomaly': 0.3 } }, ({ plan, order, rows, data }, reached) => {
    const rename = new Map(order.map((old, now) => [old + 1, now + 1]));
    const renamed: Plan = {
      txns: order.map((old) => ({ ...plan.txns[old]!, session: 9 - plan.txns[old]!.session })),
      data: data
        .map((place) => plan.data[place]!)
        .map((arc) => ({ ...arc, from: rename.get(arc.from)!, to: rename.get(arc.to)!, row: rows[arc.row]! })),
    };
    const before = checkGraph(graphOf(plan).graph);
    const after = checkGraph(graphOf(renamed).graph);
    expect(after.levels).toEqual(before.levels);
    expect(shortest(after.anomalies)).toEqual(shortest(before.anomalies));
    if (before.anomalies.length > 0) reached('an anomaly');
  });
});

function orderOf(count: number): fc.Arbitrary<number[]> {
  const places = Array.from({ length: count }, (_, i) => i);
  return fc.shuffledSubarray(places, { minLength: count, maxLength: count });
}
