/** Anomalies that one list shows, at their edges: what is just no anomaly, and what is one only by what stands beside it. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../../core/history/index.ts';
import type { NonCycleAnomaly } from '../../../core/history/index.ts';
import { inferDependencies } from '../../../infer/index.ts';
import { eventsFromText, historyFromText, roundOf, rowIdsOf } from '../history-text.ts';
import type { TextOptions } from '../history-text.ts';

const found = (text: string, options?: TextOptions): readonly NonCycleAnomaly[] =>
  inferDependencies(historyFromText(text, options)).anomalies;
const classes = (text: string, options?: TextOptions): string[] =>
  found(text, options)
    .map((each) => [each.class, ...each.shapes].join(' '))
    .sort();

describe('a dirty read', () => {
  test('is a dirty update only if a committed write is built on what was undone', () => {
    expect(classes('t1: w x ,0.0,1.1; rollback\nt3: w x ,0.0,1.1,3.1; rollback\nt2: r x ,0.0,1.1,3.1; commit')).toEqual([
      'G1a dirty read',
      'G1a dirty read',
    ]);
    expect(
      classes('t1: w x ,0.0,1.1; rollback\nt3: w x ,0.0,1.1,3.1; lost\nt2: r x ,0.0,1.1,3.1; commit', { level: 'read-uncommitted' }),
    ).toEqual(['G1a dirty read']);
  });

  test('and an intermediate read of the same writer are two findings, one of a kind', () => {
    const t1 = 't1: savepoint a; w x ,0.0,1.1; rollback to a; w y ,0.0,1.2; w y ,0.0,1.2,1.3; commit';
    expect(classes(`${t1}\nt2: r x ,0.0,1.1; r y ,0.0,1.2; r x ,0.0,1.1; commit`)).toEqual(['G1a dirty read', 'G1b intermediate read']);
  });
});

describe('an intermediate read', () => {
  test('is one by an UPDATE too, of the version that it wrote over', () => {
    expect(classes('t1: w x ,0.0,1.1; w x ,0.0,1.1,1.2; commit\nt2: w x ,0.0,1.1,2.1; commit')).toContain('G1b intermediate read');
  });

  test('is none where what came after was undone, although another has seen that', () => {
    const t1 = 't1: w x ,0.0,1.1; savepoint a; w x ,0.0,1.1,1.2; rollback to a; commit';
    expect(classes(`${t1}\nt2: r x ,0.0,1.1; commit\nt3: r x ,0.0,1.1,1.2; commit`)).toEqual(['G1a dirty read']);
  });
});

describe('a contradiction with an own write', () => {
  const OTHERS = '\nt5: w1; commit\nt6: w1; commit';

  test('shows behind a cut as well, where the version read is known to be older', () => {
    expect(classes(`t1: w x 0,5.1,1.1; r x 3,5.1; commit${OTHERS}`)).toEqual(['internal']);
    expect(classes(`t1: w x 0,5.1,1.1; r x 3,6.1; commit${OTHERS}`)).toEqual([]);
  });

  test('is there whatever the list, where the transaction had deleted the row', () => {
    const [internal] = found(`t1: d1 x 0,5.1; r x 3,6.1; commit${OTHERS}`);
    expect(internal).toMatchObject({ class: 'internal', explanation: expect.stringMatching(/had deleted it\.$/) as string });
  });

  test('is none in paper mode: the probe does not prove that the row was deleted', () => {
    expect(classes('t1: d1 x ,0.0; r x ,0.0; commit', { instrument: 'paper' })).toEqual([]);
    expect(classes('t1: d1 x ,0.0; r x ,0.0; commit')).toEqual(['internal']);
  });

  test('is none within the statement that made the write', () => {
    const text = 't1: w x ,0.0,1.1; commit';
    const builder = new HistoryBuilder(roundOf());
    for (const event of eventsFromText(text))
      builder.add(event.e === 'ok' && event.w !== undefined ? { ...event, r: ['t', rowIdsOf(text).get('x')!, ',0.0,1.1'] } : event);
    expect(inferDependencies(builder.finish()).anomalies).toEqual([]);
  });
});

test('a fork names the transactions that are there, not the initial state', () => {
  const graph = inferDependencies(historyFromText('t1: w x ,0.0,1.1; commit\nt2: w x ,0.0,2.1; commit'));
  expect(
    graph.anomalies.map((each) => [each.class, each.transactions.map((t) => graph.history.transactions.id[t]!).sort((a, b) => a - b)]),
  ).toEqual([['fork', [1, 2]]]);
});
