/** Lists of very many elements that nobody appended. The sizes are such that a text of the list for each element would not fit. */
import { describe, expect, test } from 'vitest';
import type { ListHistory } from '../../../../check/index.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';
import { verifyLists } from '../../../../src/judge/findings/verify-lists/verify-lists.ts';

const ELEMENTS = 50_000;

function historyOf(appended: readonly string[], ...lists: readonly (readonly string[])[]): ListHistory {
  const done = { outcome: 'committed' } as const;
  return {
    notes: [],
    sessionName: undefined,
    txnName: undefined,
    transactions: [
      { ...done, session: 0, beginAt: 1, endAt: 2, ops: appended.map((element) => ({ kind: 'append', key: 'x', element })) },
      { ...done, session: 1, beginAt: 3, endAt: 4, ops: lists.map((elements) => ({ kind: 'read', key: 'x', elements })) },
    ],
  };
}

describe(`a list of ${ELEMENTS} elements`, () => {
  test.each([
    [
      'that nobody appended',
      historyOf(
        [],
        Array.from({ length: ELEMENTS }, (_, i) => String(i)),
      ),
      [2],
    ],
    [
      'of which all are the same',
      historyOf(
        ['0'],
        Array.from({ length: ELEMENTS }, () => '0'),
      ),
      [2, 1],
    ],
  ])('%s is one anomaly of the read, which is derived again', (_, history, about) => {
    const judged = assessForeign({ kind: 'list', history }, { report: 'all' });
    if (judged.kind !== 'list') throw new Error('a list history');
    const { anomalies, levels } = judged.verdict;
    expect(levels.find(({ level }) => level === 'read-uncommitted')!.answer).toBe(false);
    expect(anomalies.map((each) => each.class)).toEqual(['thin-air']);
    expect(anomalies[0]!.transactions).toEqual(about);
    expect(verifyLists(JSON.parse(JSON.stringify(anomalies[0])), history)).toMatchObject({ holds: true });
    expect(judged.notes).toHaveLength(about.length === 1 ? ELEMENTS : ELEMENTS - 1);
  });

  test('two such reads of one transaction are two anomalies', () => {
    const judged = assessForeign({ kind: 'list', history: historyOf(['1'], ['1', '7', '8'], ['1', '9']) }, { report: 'all' });
    if (judged.kind !== 'list') throw new Error('a list history');
    const told = judged.verdict.anomalies.map((each) => `${each.class}: ${each.explanation}`);
    expect(told).toEqual([
      'thin-air: T2 read x as [1 7 8]: no transaction made an append that stands there.',
      'thin-air: T2 read x as [1 9]: no transaction made an append that stands there.',
    ]);
  });
});
