/** Each reason why a statement was not checked has its own words. A report counts by sentence and as data. */
import { describe, expect, it } from 'vitest';
import type { UncheckedStatement } from '../../../core/verdict/index.ts';
import { addPrograms, programCounts, statementCounts } from '../../../reports/index.ts';

const WORDS: Readonly<Record<UncheckedStatement, string>> = {
  'asks-not-to-wait': 'it asks not to wait',
  'routines-act': 'triggers or functions read or write on their own',
  'tried-again': 'a transaction beside it, or its own, was tried again',
  'others-depend': 'other transactions get other replies without it',
  'lock-error': 'alone it meets an error of locks',
  'enough-runs': 'enough runs were spent on statements of its program',
};

describe('statements', () => {
  it.each(Object.entries(WORDS))('%s', (code, words) => {
    const unjudged = { [code]: 3 };
    expect(statementCounts({ judged: 2, unjudged })).toEqual({ judged: 2, unjudged: { [words]: 3 }, unjudgedData: unjudged });
  });
});

describe('programs', () => {
  it('are counted by reason, and reasons with the same code and other data are two', () => {
    const of = (most: number, programs: number) => ({ reason: { code: 'many-ran-together', most } as const, programs });
    const sum = addPrograms([of(4, 1), of(5, 1)], [of(4, 2)]);
    expect(sum).toEqual([of(4, 3), of(5, 1)]);
    expect(programCounts(sum)).toEqual({
      unjudged: { 'more than 4 transactions ran together': 3, 'more than 5 transactions ran together': 1 },
      unjudgedData: sum,
    });
  });
});
