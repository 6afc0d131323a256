/** Levels of a list history of which not all was seen: an order of unread appends that is not decided meets no level. */
import { expect, test } from 'vitest';
import { checkLists, listAppendToEvents } from '../../../../check/index.ts';
import type { ListHistory } from '../../../../check/index.ts';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { Level } from '../../../../core/level/index.ts';
import type { DependencyGraph } from '../../../../core/history/index.ts';
import type { Answer } from '../../../../core/verdict/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';

const append = (key: string, element: string) => ({ kind: 'append', key, element }) as const;
const readNothing = (key: string) => ({ kind: 'read', key, elements: [] }) as const;

/**
 * A write skew of T1 and T2. T1 did not see what T3 appended to u; so if T3 came first on z there is a cycle of one
 * anti-dependency, and if T1 did there is none.
 */
const HISTORY: ListHistory = {
  notes: [],
  sessionName: undefined,
  txnName: undefined,
  transactions: [
    [readNothing('x'), append('y', '1'), readNothing('u'), append('z', '1')],
    [readNothing('y'), append('x', '2')],
    [append('u', '3'), append('z', '3')],
  ].map((ops, session) => ({ session, outcome: 'committed', beginAt: 0, endAt: 30 - 10 * session, ops })),
};
const LEVELS: readonly Level[] = ['consistent-view', 'snapshot-isolation', 'serializable'];

function answers(change: (graph: DependencyGraph) => DependencyGraph = (graph) => graph): readonly Answer[] {
  const { round, events, late } = listAppendToEvents(HISTORY);
  const builder = new HistoryBuilder(round);
  for (const event of events) builder.add(event);
  const { levels } = checkLists(change(inferDependencies(builder.finish())), late, { levels: LEVELS });
  return levels.map(({ answer }) => answer);
}

test('a level holds if some order meets it, and is unknown if of that order not all was seen', () => {
  expect(answers()).toEqual([true, true, false]);
  const unseen = (graph: DependencyGraph): DependencyGraph => {
    const { count } = graph.history.transactions;
    return { ...graph, unobserved: { bits: new Uint32Array(count).fill(0xffff), counts: new Uint8Array(count).fill(1) } };
  };
  expect(answers(unseen)).toEqual(['unknown', 'unknown', false]);
});
