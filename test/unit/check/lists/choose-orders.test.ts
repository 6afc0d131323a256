/** Orders of appends that no list shows: one that the cycle search does not decide is no order that meets a level. */
import { expect, test } from 'vitest';
import { listAppendToEvents } from '../../../../check/index.ts';
import type { ListHistory } from '../../../../check/index.ts';
import { Orders } from '../../../../check/lists/choose-orders.ts';
import { tailsOf, withTails } from '../../../../check/lists/tails.ts';
import { HistoryBuilder, LEVELS } from '../../../../core/index.ts';
import type { DependencyGraph } from '../../../../core/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';

const HISTORY: ListHistory = {
  notes: [],
  sessionName: undefined,
  txnName: undefined,
  transactions: ['1', '2'].map((element, session) => ({
    session,
    outcome: 'committed',
    beginAt: 0,
    endAt: 9,
    ops: [
      { kind: 'read', key: 'x', elements: [] },
      { kind: 'append', key: 'y', element },
    ],
  })),
};

function answers(change: (graph: DependencyGraph) => DependencyGraph): ReadonlySet<unknown> {
  const { round, events, late } = listAppendToEvents(HISTORY);
  const builder = new HistoryBuilder(round);
  for (const event of events) builder.add(event);
  const graph = change(inferDependencies(builder.finish()));
  const tails = tailsOf(graph, late);
  const orders = new Orders(graph, withTails(graph, tails), tails);
  return new Set(LEVELS.filter(({ level }) => !['rc', 'ra', 'cc'].includes(level)).map(({ level }) => orders.meets(level).answer));
}

test('an order in which nothing forbidden is found meets a level', () => {
  expect(answers((graph) => graph)).toEqual(new Set([true]));
});

test('an order of which not all was seen meets none, and violates none', () => {
  const unseen = (graph: DependencyGraph): DependencyGraph => {
    const { count } = graph.history.transactions;
    return { ...graph, gaps: { bits: new Uint32Array(count).fill(0xffff), counts: new Uint8Array(count).fill(1) } as never };
  };
  expect(answers(unseen)).toEqual(new Set(['unknown']));
});
