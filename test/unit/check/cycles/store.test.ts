/** Histories of stores that keep a level never violate it, and names and order in the file do not matter. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { Level } from '../../../../core/level/index.ts';
import type { HistoryEvent } from '../../../../core/history/index.ts';
import type { Verdict } from '../../../../core/verdict/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { storeTurns } from '../../../arbitraries/store-turns.ts';
import { always } from '../../../property.ts';
import { roundOf } from '../../history-text.ts';
import { eventsOf, execute } from './store.ts';
import type { Store } from './store.ts';

function verdictOf(events: readonly HistoryEvent[]): Verdict {
  const builder = new HistoryBuilder(roundOf());
  for (const event of events) builder.add(event);
  return checkGraph(inferDependencies(builder.finish()));
}

const same = (n: number): number => n;
const rid = (row: number): string => `r0.0_${row}`;

const KEEPS: readonly { readonly store: Store; readonly levels: readonly Level[]; readonly breaks: readonly Level[] }[] = [
  { store: 'serial', levels: ['strict-serializable'], breaks: [] },
  {
    store: 'transaction',
    levels: ['snapshot-isolation', 'consistent-view', 'cursor-stability'],
    breaks: ['repeatable-read', 'serializable'],
  },
  {
    store: 'statement',
    levels: ['read-committed', 'monotonic-atomic-view'],
    breaks: ['cursor-stability', 'consistent-view', 'snapshot-isolation', 'repeatable-read'],
  },
];

describe.each(KEEPS)('a store with $store snapshots', ({ store, levels, breaks }) => {
  test('never violates the levels it keeps, and now and then each of those it does not', () => {
    const reached = { 'four committed': 0.5, ...Object.fromEntries(breaks.map((level) => [`${level} broken`, 1])) };
    always(storeTurns(), { seed: 21, of: 1000, least: 200, reached }, (turns, reach) => {
      const execution = execute(turns, store);
      const { levels: answers, anomalies } = verdictOf(eventsOf(execution, same, same, rid));
      for (const { level, answer } of answers) {
        if (answer === false) reach(`${level} broken`);
        if (levels.includes(level)) expect(answer, JSON.stringify(anomalies[0])).not.toBe(false);
      }
      if (execution.txns.filter(({ commit }) => commit).length > 3) reach('four committed');
    });
  });
});

test('renaming transactions, sessions and rows, and shuffling the transactions in the file, changes no class, level or shape', () => {
  const summary = (verdict: Verdict): unknown => ({
    levels: verdict.levels,
    classes: [...new Set(verdict.anomalies.map((a) => `${a.class} of ${a.cycle.length}`))].sort(),
    pairs: [
      ...new Set(
        verdict.anomalies
          .filter((a) => a.cycle.length === 2 && !/session|realtime/.test(a.class))
          .map((a) => `${a.class} ${a.shapes.join()}`),
      ),
    ].sort(),
  });
  const executions = storeTurns({ transactions: 20 }).map((turns) => execute(turns, 'statement'));
  const shuffled = executions.chain((execution) =>
    fc.tuple(fc.constant(execution), fc.shuffledSubarray([...execution.txns], { minLength: execution.txns.length })),
  );
  always(shuffled, { seed: 22, of: 500, least: 100, reached: { 'an anomaly': { perCase: 1 } } }, ([execution, order], reached) => {
    const before = verdictOf(eventsOf(execution, same, same, rid));
    const after = verdictOf(
      eventsOf(
        { txns: order },
        (id) => 1000 - 7 * id,
        (s) => 90 - s,
        (row) => `r0.0_${50 - row}`,
      ),
    );
    expect(summary(after)).toEqual(summary(before));
    before.anomalies.forEach(() => reached('an anomaly'));
  });
});
