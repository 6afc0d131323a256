import { describe, expect, test } from 'vitest';
import type { ListHistory } from '../../../../check/index.ts';
import type { Anomaly } from '../../../../core/verdict/index.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';
import { executedLists } from '../../../arbitraries/list-history.ts';
import { always } from '../../../property.ts';
import { readTransactions } from '../../read-transactions.ts';

/** `[process, type, value]`, each an event of its own. */
function anomaliesOf(events: readonly (readonly [number, string, string])[]): readonly Anomaly[] {
  const text = events.map(([process, type, value], i) => `{:index ${i} :type :${type} :process ${process} :f :txn :value ${value}}`);
  const judged = assessForeign(readTransactions('elle', [{ name: 'h.edn', bytes: new TextEncoder().encode(text.join('\n')) }]), {
    report: 'all',
  });
  if (judged.kind !== 'list') throw new Error('a list history');
  return judged.verdict.anomalies;
}

const sentences = ({ explanation, cycle }: Anomaly): readonly string[] => [explanation, ...cycle.map((step) => step.explanation)];

/** Every second list that was read lacks its end. */
function withStaleReads(history: ListHistory): ListHistory {
  let reads = 0;
  type ListOp = ListHistory['transactions'][number]['ops'][number];
  const stale = (op: ListOp): ListOp =>
    op.kind === 'read' && op.elements !== undefined && reads++ % 2 === 0 ? { ...op, elements: op.elements.slice(0, -1) } : op;
  return { ...history, transactions: history.transactions.map((txn) => ({ ...txn, ops: txn.ops.map(stale) })) };
}

describe('a list history in its own words', () => {
  test('who read which list, who appended what, and what the file calls them', () => {
    const [skew] = anomaliesOf([
      [0, 'invoke', '[[:r x nil] [:append y 1]]'],
      [1, 'invoke', '[[:r y nil] [:append x 4]]'],
      [0, 'ok', '[[:r x []] [:append y 1]]'],
      [1, 'ok', '[[:r y []] [:append x 4]]'],
      [0, 'invoke', '[[:r x nil] [:r y nil]]'],
      [0, 'ok', '[[:r x [4]] [:r y [1]]]'],
    ]);
    expect(sentences(skew!)).toEqual([
      'Write skew (G2-item): T1 -rw-> T2 -rw-> T1, so none of them can come first. In the file T1 is transaction 0, T2 is transaction 1.',
      'T1 read x as [], T2 appended 4 to x, which T1 did not see.',
      'T2 read y as [], T1 appended 1 to y, which T2 did not see.',
    ]);
    expect(skew!.cycle.map(({ row }) => row)).toEqual(['x', 'y']);
  });

  test('what is no cycle', () => {
    const anomalies = anomaliesOf([
      [0, 'invoke', '[[:append x 1]]'],
      [0, 'fail', '[[:append x 1]]'],
      [1, 'invoke', '[[:append y 1] [:append y 2]]'],
      [1, 'ok', '[[:append y 1] [:append y 2]]'],
      [2, 'invoke', '[[:r x nil] [:r y nil] [:append z 1] [:r z nil]]'],
      [2, 'ok', '[[:r x [1]] [:r y [1]] [:append z 1] [:r z []]]'],
    ]);
    expect(Object.fromEntries(anomalies.map((each) => [each.class, each.explanation.replace(/ In the file.*/, '')]))).toEqual({
      G1a: 'T3 read x as [1], T1 appended 1 to x: the append that it saw was never committed.',
      G1b: 'T3 read y as [1], T2 appended 1 to y, T2 appended 2 to y: what it saw is not all that the other transaction appended before it committed.',
      internal: 'T3 read z as [], T3 appended 1 to z: that contradicts what its own transaction had done before.',
    });
  });

  test('of a long list its end', () => {
    const elements = Array.from({ length: 20 }, (_, i) => i + 1);
    const appended = `[${elements.map((element) => `[:append x ${element}]`).join(' ')}]`;
    const before = elements.slice(0, -1).join(' ');
    const [anomaly] = anomaliesOf([
      [0, 'invoke', appended],
      [0, 'ok', appended],
      [1, 'invoke', '[[:r x nil]]'],
      [1, 'ok', `[[:r x [${before}]]]`],
    ]);
    expect(anomaly!.explanation).toContain('read x as [… 8 9 10 11 12 13 14 15 16 17 18 19] (19 elements)');
  });

  test('no row and no version of ours is named, whatever the history', () => {
    always(executedLists('snapshot'), { seed: 43, of: 400, least: 100, reached: { anomalies: 0.1 } }, (history, reached) => {
      const judged = assessForeign({ kind: 'list', history: withStaleReads(history) }, { report: 'all' });
      if (judged.kind !== 'list') throw new Error('a list history');
      const said = judged.verdict.anomalies.flatMap(sentences);
      if (said.length > 0) reached('anomalies');
      for (const sentence of said) expect(sentence).not.toMatch(/\blists\b|\br\d+\.\d+_\d+|version/);
    });
  });
});
