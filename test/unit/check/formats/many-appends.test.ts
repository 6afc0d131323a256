/** One transaction of very many appends. The sizes are such that a search for each append would not end before the test does. */
import { describe, expect, test } from 'vitest';
import type { ListHistory, ListTxn } from '../../../../check/index.ts';
import type { AskedLevel } from '../../../../core/level/index.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';

const APPENDS = 20_000;
const elements = Array.from({ length: APPENDS }, (_, i) => String(i));
const appends: ListTxn['ops'] = elements.map((element) => ({ kind: 'append', key: '0', element }));

function judge(...transactions: readonly Pick<ListTxn, 'ops' | 'outcome'>[]): ReturnType<typeof verdictOf> {
  return verdictOf({
    notes: [],
    sessionName: undefined,
    txnName: undefined,
    transactions: transactions.map((txn, i) => ({ ...txn, session: i, beginAt: 2 * i + 1, endAt: 2 * i + 2 })),
  });
}

function verdictOf(history: ListHistory): {
  readonly violated: readonly AskedLevel[];
  readonly classes: readonly string[];
  readonly texts: readonly string[];
} {
  const judged = assessForeign({ kind: 'list', history });
  if (judged.kind !== 'list') throw new Error('a list history');
  const { levels, anomalies } = judged.verdict;
  return {
    violated: levels.filter(({ answer }) => answer !== true).map(({ level }) => level),
    classes: anomalies.map((anomaly) => anomaly.class),
    texts: anomalies.map(({ explanation }) => explanation),
  };
}

const read = (seen: readonly string[]): ListTxn['ops'][number] => ({ kind: 'read', key: '0', elements: seen });

describe(`a transaction of ${APPENDS} appends to one list`, () => {
  test('holds every level where another transaction read them all', () => {
    expect(judge({ outcome: 'committed', ops: appends }, { outcome: 'committed', ops: [read(elements)] })).toEqual({
      violated: [],
      classes: [],
      texts: [],
    });
  });

  test('has an intermediate read where another transaction read half of them', () => {
    const half = elements.slice(0, APPENDS / 2);
    const { classes, texts } = judge(
      { outcome: 'committed', ops: appends },
      { outcome: 'committed', ops: [read(half)] },
      { outcome: 'committed', ops: [read(elements)] },
    );
    expect(classes).toContain('G1b');
    expect(texts.join('\n')).toContain(`T1 appended ${APPENDS / 2 - 1} to 0, T1 appended ${APPENDS - 1} to 0`);
  });

  test('is one dirty read where it was undone', () => {
    expect(judge({ outcome: 'aborted', ops: appends }, { outcome: 'committed', ops: [read(elements)] }).classes).toEqual(['G1a']);
  });

  test('contradicts itself where it read its last append before it made it, or without its last append after it', () => {
    const early = judge({ outcome: 'committed', ops: [read(elements), ...appends] });
    expect(early.classes).toEqual(['internal']);
    expect(early.texts[0]).toContain(`T1 appended ${APPENDS - 1} to 0`);
    const without = judge(
      { outcome: 'committed', ops: [...appends, read(elements.slice(0, -1))] },
      { outcome: 'committed', ops: [read(elements)] },
    );
    expect(without.classes).toContain('internal');
    expect(without.texts.join('\n')).toContain(`T1 appended ${APPENDS - 1} to 0`);
  });
});
