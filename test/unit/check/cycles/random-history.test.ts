/** Histories of stores that keep a level never violate it, and names and order in the file do not matter. */
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import { HistoryBuilder } from '../../../../core/index.ts';
import type { HistoryEvent, Level, Verdict } from '../../../../core/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { within } from '../../../budget.ts';
import { roundOf } from '../../history-text.ts';
import { mulberry } from '../../mulberry.ts';
import { eventsOf, execute } from './random-history.ts';
import type { Store } from './random-history.ts';

function verdictOf(events: readonly HistoryEvent[]): Verdict {
  const builder = new HistoryBuilder(roundOf());
  for (const event of events) builder.add(event);
  return checkGraph(inferDependencies(builder.finish()));
}

const same = (n: number): number => n;
const rid = (row: number): string => `r0.0_${row}`;

const KEEPS: readonly { readonly store: Store; readonly levels: readonly Level[]; readonly breaks: readonly Level[] }[] = [
  { store: 'serial', levels: ['strict-serializable'], breaks: [] },
  { store: 'transaction', levels: ['snapshot-isolation', 'consistent-view', 'cursor-stability'], breaks: ['repeatable-read', 'serializable'] },
  { store: 'statement', levels: ['read-committed', 'monotonic-atomic-view'], breaks: ['cursor-stability', 'consistent-view', 'snapshot-isolation', 'repeatable-read'] },
];

describe.each(KEEPS)('a store with $store snapshots', ({ store, levels, breaks }) => {
  test('never violates the levels it keeps, and now and then each of those it does not', () => {
    const next = mulberry(21);
    const broken = new Set<Level>();
    for (const _ of within(1000, { least: 200 })) {
      const { levels: answers, anomalies } = verdictOf(eventsOf(execute(next, store, 12), same, same, rid));
      for (const { level, answer } of answers) {
        if (answer === false) broken.add(level);
        if (levels.includes(level)) expect(answer, JSON.stringify(anomalies[0])).not.toBe(false);
      }
    }
    for (const level of breaks) expect(broken).toContain(level);
  });
});

test('renaming transactions, sessions and rows, and shuffling the transactions in the file, changes no class, level or shape', () => {
  const next = mulberry(22);
  const summary = (verdict: Verdict): unknown => ({
    levels: verdict.levels,
    classes: [...new Set(verdict.anomalies.map((a) => `${a.class} of ${a.cycle.length}`))].sort(),
    pairs: [...new Set(verdict.anomalies.filter((a) => a.cycle.length === 2 && !/session|realtime/.test(a.class)).map((a) => `${a.class} ${a.shapes.join()}`))].sort(),
  });
  let anomalies = 0;
  const cases = within(500, { least: 100 });
  for (const _ of cases) {
    const execution = execute(next, 'statement', 10);
    const order = execution.txns.map((txn) => [next(), txn] as const).sort((a, b) => a[0] - b[0]).map(([, txn]) => txn);
    const before = verdictOf(eventsOf(execution, same, same, rid));
    const after = verdictOf(eventsOf({ txns: order }, (id) => 1000 - 7 * id, (s) => 90 - s, (row) => `r0.0_${50 - row}`));
    expect(summary(after)).toEqual(summary(before));
    anomalies += before.anomalies.length;
  }
  expect(anomalies).toBeGreaterThan(cases.ran);
});
