/**
 * When a cycle is an observed transaction that vanishes: one row's older version read after something newer was seen.
 *
 *     T1 -rw x-> T2 -ww x-> T3 -wr y-> T1, where T1 read y (statement `newer`) before it read x (statement `older`)
 */
import { expect, test } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import { REL } from '../../../../core/level/index.ts';
import { NONE } from '../../../../core/history/index.ts';
import { buildCsr } from '../../../../graph/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { historyFromText } from '../../history-text.ts';

interface Cycle {
  /** Statements of T1, which has 0 to 4. */
  readonly older: number;
  readonly newer: number;
  /** The row on which T3 followed T2. */
  readonly between?: number;
}

const X = 0;
const Y = 1;
const Z = 2;
/** Rows 0 to 2, and five statements each: T2's are 5 to 9, T3's 10 to 14. */
const BASE = inferDependencies(historyFromText([1, 2, 3].map((t) => `t${t}: r x ,0.0; r y ,0.0; r z ,0.0; commit`).join('\n')));

function shapesOf({ older, newer, between = X }: Cycle): readonly string[] {
  const edges = [
    { from: 1, to: 2, rel: REL.rw, row: X, fromStatement: older, toStatement: 6 },
    { from: 2, to: 3, rel: REL.ww, row: between, fromStatement: 7, toStatement: 11 },
    { from: 3, to: 1, rel: REL.wr, row: Y, fromStatement: 12, toStatement: newer },
  ];
  const csr = buildCsr(
    BASE.nodeCount,
    edges.map(({ from }) => from),
    edges.map(({ to }) => to),
  );
  const column = (of: (edge: (typeof edges)[number]) => number): Int32Array => Int32Array.from(edges, of);
  const zero = new Int32Array(edges.length);
  const { anomalies } = checkGraph({
    ...BASE,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => edges[i]!.rel),
    evidence: csr.order,
    edges: {
      count: edges.length,
      rel: Uint16Array.from(edges, ({ rel }) => rel),
      row: column(({ row }) => row),
      fromStatement: column(({ fromStatement }) => fromStatement),
      toStatement: column(({ toStatement }) => toStatement),
      fromTxn: zero,
      fromSeq: zero,
      toTxn: zero,
      toSeq: zero,
      observation: zero.map(() => NONE),
    },
    anomalies: [],
  });
  expect(anomalies.map((anomaly) => anomaly.class)).toEqual(['G-single-item']);
  return anomalies[0]!.shapes;
}

const VANISHES = 'observed transaction vanishes';

test('the older version was read later', () => {
  expect(shapesOf({ older: 2, newer: 1 })).toContain(VANISHES);
  expect(shapesOf({ older: 1, newer: 0 }), 'the first statement of all is one like any other').toContain(VANISHES);
});

test('not if it was read earlier, nor if one statement read both', () => {
  expect(shapesOf({ older: 1, newer: 2 })).toEqual(['fractured read']);
  expect(shapesOf({ older: 2, newer: 2 })).toEqual(['fractured read']);
});

test('not if no statement is known to have seen the newer one', () => {
  expect(shapesOf({ older: 2, newer: NONE })).toEqual(['fractured read']);
});

test('not if what was written in between is another row', () => {
  expect(shapesOf({ older: 2, newer: 1, between: Z })).toEqual([]);
});
