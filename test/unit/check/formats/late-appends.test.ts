import { describe, expect, test } from 'vitest';
import { formatNamed } from '../../../../check/index.ts';
import type { ListHistory } from '../../../../check/index.ts';
import type { AskedLevel } from '../../../../core/index.ts';
import { assessForeign } from '../../../../src/assess/foreign.ts';
import { executedLists } from '../../../arbitraries/list-history.ts';
import { always } from '../../../property.ts';

const event = (process: number, type: string, value: string): string => `{:type :${type} :process ${process} :f :txn :value ${value}}\n`;
const txn = (process: number, type: string, value: string): string => event(process, 'invoke', value) + event(process, type, value);

function judge(text: string): { readonly violated: readonly AskedLevel[]; readonly shapes: readonly string[] } {
  const judged = assessForeign(formatNamed('elle').read([{ name: 'h.edn', bytes: new TextEncoder().encode(text) }]));
  if (judged.kind !== 'list') throw new Error('a list history');
  return {
    violated: judged.verdict.levels.filter(({ answer }) => answer === false).map(({ level }) => level),
    shapes: judged.verdict.anomalies.flatMap(({ shapes }) => shapes),
  };
}

describe('appends that nobody read', () => {
  test('two after one list: whoever is second has lost the update of the other', () => {
    const [one, two] = ['[[:r :x [9]] [:append :x 1]]', '[[:r :x [9]] [:append :x 2]]'];
    const { violated, shapes } = judge(
      txn(3, 'ok', '[[:append :x 9]]') + event(0, 'invoke', one) + event(1, 'invoke', two) + event(0, 'ok', one) + event(1, 'ok', two),
    );
    expect(violated).toEqual([
      'cursor-stability',
      'consistent-view',
      'repeatable-read',
      'snapshot-isolation',
      'serializable',
      'strict-serializable',
    ]);
    expect(shapes).toContain('lost update');
  });

  test('two, one of which is in a cycle by another key: a skew', () => {
    const text =
      txn(1, 'ok', '[[:r :x []] [:append :y 1]]') +
      txn(2, 'ok', '[[:r :y []] [:append :x 2]]') +
      txn(3, 'ok', '[[:append :x 3]]') +
      txn(4, 'ok', '[[:append :y 4]]');
    expect(judge(text).violated).toEqual(['repeatable-read', 'serializable', 'strict-serializable']);
  });

  test('one of a transaction of unknown outcome counts as soon as another append of it was read', () => {
    expect(judge(txn(1, 'info', '[[:append :x 9] [:append :y 9]]') + txn(2, 'ok', '[[:r :y []] [:r :x [9]]]')).violated).toEqual(
      expect.arrayContaining(['snapshot-isolation', 'serializable', 'ra']),
    );
    expect(
      judge(txn(1, 'info', '[[:append :y 9]]') + txn(2, 'ok', '[[:append :x 9]]') + txn(3, 'ok', '[[:r :y []] [:r :x [9]]]')).violated,
    ).toEqual([]);
  });

  test.each(['serial', 'snapshot'] as const)('2,000 %s executions with many of them keep the level that they ran at', (isolation) => {
    always(
      executedLists(isolation),
      { seed: 41, of: 2000, least: 400, reached: { 'appends that nobody read': 0.3 } },
      (history, reached) => {
        const judged = assessForeign(
          { kind: 'list', history },
          { levels: [isolation === 'serial' ? 'strict-serializable' : 'snapshot-isolation', 'cursor-stability', 'monotonic-atomic-view'] },
        );
        if (judged.kind !== 'list') throw new Error('a list history');
        expect(judged.verdict.levels.filter(({ answer }) => answer === false)).toEqual([]);
        if (nobodyRead(history) > 1) reached('appends that nobody read');
      },
    );
  });
});

function nobodyRead({ transactions }: ListHistory): number {
  const ops = transactions.flatMap((each) => each.ops);
  const read = new Set(ops.flatMap((op) => (op.kind === 'read' ? (op.elements ?? []) : [])));
  return ops.filter((op) => op.kind === 'append' && !read.has(op.element)).length;
}
