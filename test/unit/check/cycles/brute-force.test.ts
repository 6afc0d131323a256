/** Classes of small random graphs against a search over all simple cycles. */
import { expect, test } from 'vitest';
import { checkGraph, classifyCycle } from '../../../../check/index.ts';
import { REL } from '../../../../core/index.ts';
import type { Anomaly } from '../../../../core/index.ts';
import { within } from '../../../budget.ts';
import { mulberry } from '../../mulberry.ts';
import { define, everyCycle, graphOf, randomPlan } from './random-graph.ts';
import type { Plan } from './random-graph.ts';

const GRAPHS = 10_000;

function shortest(anomalies: readonly Anomaly[]): Record<string, number> {
  const least: Record<string, number> = {};
  for (const anomaly of anomalies) least[anomaly.class] = Math.min(least[anomaly.class] ?? Infinity, anomaly.cycle.length);
  return least;
}

test(`finds the same classes, with cycles as short, as a search over all simple cycles of ${GRAPHS} random graphs`, () => {
  const next = mulberry(7);
  const seen: Record<string, number> = {};
  for (const i of within(GRAPHS, { least: 1000 })) {
    const { graph, arcs } = graphOf(randomPlan(next));
    const expected: Record<string, number> = {};
    for (const cycle of everyCycle(arcs)) {
      if (cycle.class === undefined) continue;
      expect(classifyCycle(cycle.rels.map((rel) => REL[rel]))).toBe(cycle.class);
      expected[cycle.class] = Math.min(expected[cycle.class] ?? Infinity, cycle.length);
    }
    const all = checkGraph(graph, { report: 'all' });
    expect(shortest(all.anomalies), `graph ${i}`).toEqual(expected);
    for (const name of Object.keys(expected)) seen[name] = (seen[name] ?? 0) + 1;
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
  }
  // every class but those that a generator of this size rarely makes must have been there to be found
  expect(Object.keys(seen).sort()).toEqual(ALL.sort());
});

const ALL = ['G0', 'G1c', 'G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent', 'G2-item', 'G2'].flatMap((base) => [base, `${base}-session`, `${base}-realtime`]);

test('gives the same classes when transactions, sessions, rows and edges are renamed and shuffled', () => {
  const next = mulberry(11);
  const shuffle = <T>(items: readonly T[]): T[] => items.map((item) => [next(), item] as const).sort((a, b) => a[0] - b[0]).map(([, item]) => item);
  for (let i = 0; i < 1000; i++) {
    const plan = randomPlan(next);
    const order = shuffle(plan.txns.map((_, t) => t));
    const rename = new Map(order.map((old, now) => [old + 1, now + 1]));
    const rows = shuffle([0, 1, 2]);
    const renamed: Plan = {
      txns: order.map((old) => ({ ...plan.txns[old]!, session: 9 - plan.txns[old]!.session })),
      data: shuffle(plan.data).map((arc) => ({ ...arc, from: rename.get(arc.from)!, to: rename.get(arc.to)!, row: rows[arc.row]! })),
    };
    const before = checkGraph(graphOf(plan).graph);
    const after = checkGraph(graphOf(renamed).graph);
    expect(after.levels).toEqual(before.levels);
    expect(shortest(after.anomalies)).toEqual(shortest(before.anomalies));
  }
});
