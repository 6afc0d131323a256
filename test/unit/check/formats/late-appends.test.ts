import { describe, expect, test } from 'vitest';
import type { ListHistory } from '../../../../check/index.ts';
import type { AnomalyClass, AskedLevel } from '../../../../core/level/index.ts';
import type { Answer } from '../../../../core/verdict/index.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';
import { executedLists } from '../../../arbitraries/list-history.ts';
import { always } from '../../../property.ts';
import { readTransactions } from '../../read-transactions.ts';

const event = (process: number, type: string, value: string): string => `{:type :${type} :process ${process} :f :txn :value ${value}}\n`;
const txn = (process: number, type: string, value: string): string => event(process, 'invoke', value) + event(process, type, value);

interface Judged {
  readonly violated: readonly AskedLevel[];
  readonly shapes: readonly string[];
  readonly classes: readonly AnomalyClass[];
  readonly explanations: readonly string[];
  readonly answers: ReadonlySet<Answer>;
}

function judge(text: string): Judged {
  const judged = assessForeign(readTransactions('elle', [{ name: 'h.edn', bytes: new TextEncoder().encode(text) }]));
  if (judged.kind !== 'list') throw new Error('a list history');
  return {
    violated: judged.verdict.levels.filter(({ answer }) => answer === false).map(({ level }) => level),
    shapes: judged.verdict.anomalies.flatMap(({ shapes }) => shapes),
    classes: judged.verdict.anomalies.map((anomaly) => anomaly.class),
    answers: new Set(judged.verdict.levels.map(({ answer }) => answer)),
    explanations: judged.verdict.anomalies.map(({ explanation }) => explanation),
  };
}

/** Of two that read one list and then appended to it, and of what else they did. */
const lostUpdate = (first: string, second: string): string => {
  const [one, two] = [`[[:r :x [9]] ${first} [:append :x 1]]`, `[${second} [:r :x [9]] [:append :x 2]]`];
  return txn(3, 'ok', '[[:append :x 9]]') + event(0, 'invoke', one) + event(1, 'invoke', two) + event(0, 'ok', one) + event(1, 'ok', two);
};

describe('appends that nobody read', () => {
  // Were the order of the two drawn against what one read of the other, a cycle of dependencies would be seen that is not there.
  test.each([
    ['the second read from the first', '[:append :y 1]', '[:r :y [1]]'],
    ['the first read from the second', '[:r :y [1]]', '[:append :y 1]'],
    ['the second wrote over the first, as a third shows', '[:append :y 1]', '[:append :y 2]'],
    ['the first wrote over the second, as a third shows', '[:append :y 2]', '[:append :y 1]'],
  ])('a lost update where %s: no order of the two is drawn that closes a cycle of reads and writes', (_, first, second) => {
    const third = first.includes('append') && second.includes('append') ? txn(4, 'ok', '[[:r :y [1 2]]]') : '';
    const { violated, shapes } = judge(lostUpdate(first, second) + third);
    expect(shapes).toContain('lost update');
    expect(violated).toContain('cursor-stability');
    expect(violated).not.toContain('read-uncommitted');
    expect(violated).not.toContain('read-committed');
  });

  test('the last writer read its own list and appended again: its update is not lost', () => {
    // T1 -ww-> T2 by the last writer, whatever T2 read
    const { violated } = judge(txn(0, 'ok', '[[:append :x 1] [:r :x [1]] [:append :x 2]]') + txn(1, 'ok', '[[:r :x [1]] [:append :x 3]]'));
    expect(violated).not.toContain('read-uncommitted');
    expect(violated).toContain('read-committed'); // an intermediate read
    // A reader of a list to which its last writer appended again has read a part of a transaction: that is no cycle.
    const part = judge(txn(0, 'ok', '[[:append :x 1] [:append :x 2]]') + txn(1, 'ok', '[[:r :x [1]]]'));
    expect(part.classes).toEqual(['G1b']);
  });

  test('a write skew of two that appended to a third key as well: either order of these closes a cycle of one anti-dependency', () => {
    // a write skew, and both appended to z: whoever is first there, the other did not see it and came before it
    const skew = txn(0, 'ok', '[[:r :x []] [:append :y 1] [:append :z 1]]') + txn(1, 'ok', '[[:r :y []] [:append :x 2] [:append :z 2]]');
    expect(judge(skew).violated).toEqual([
      'consistent-view',
      'repeatable-read',
      'snapshot-isolation',
      'serializable',
      'strict-serializable',
    ]);
    expect(judge(skew).explanations).toContainEqual(
      expect.stringMatching(
        /^G-single-item: no order of the appends .* \(1\) If T1 appended 1 to :z before T2 appended 2 to :z: .*: a cycle\. \(2\) If T2 appended 2 to :z before T1 appended 1 to :z: .*: a cycle\./,
      ),
    );
  });

  test('two transactions that only appended to one list have met', () => {
    const judged = judge(txn(0, 'ok', '[[:append :x 1]]') + txn(1, 'ok', '[[:append :x 2]]'));
    expect(judged.answers).toEqual(new Set([true]));
  });

  test('one append has no reads, whatever stands before it', () => {
    // T2 appended behind T1, whose append nobody says that it saw
    expect(
      judge(txn(0, 'ok', '[[:append :x 1] [:append :y 1] [:r :x [1]]]') + txn(1, 'ok', '[[:append :x 2] [:r :y []]]')).violated,
    ).toEqual(['consistent-view', 'repeatable-read', 'snapshot-isolation', 'serializable', 'strict-serializable']);
  });

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

  test('two behind a reader that saw neither, the second of which did not see whom the reader saw: snapshots allow one order of these', () => {
    // x: T2 did not see T3 nor T4, and T4 did not see T1, which T2 saw; only with T3 before T4 are the two not neighbours
    const text =
      txn(1, 'ok', '[[:append :y 1]]') +
      txn(2, 'ok', '[[:r :x []] [:r :y [1]]]') +
      txn(3, 'ok', '[[:append :x 2]]') +
      txn(4, 'ok', '[[:append :x 3] [:r :y []]]');
    expect(judge(text).violated).toEqual(['repeatable-read', 'serializable', 'strict-serializable']);
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
