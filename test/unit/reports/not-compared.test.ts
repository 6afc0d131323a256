/** Each reason why results are not compared has its own words. They are a clause that follows "as". */
import { expect, it } from 'vitest';
import type { NotCompared, NotComparedCode } from '../../../core/verdict/index.ts';
import { notComparedWords } from '../../../reports/index.ts';

const NUMBERED = 'the server numbers new rows in the order in which it meets them, whoever commits';

const WORDS: { readonly [C in NotComparedCode]: readonly (readonly [reason: NotCompared<C>, words: string])[] } = {
  'skip-locked': [[{ code: 'skip-locked' }, 'SKIP LOCKED leaves out what others have locked']],
  'open-limit': [[{ code: 'open-limit' }, 'a LIMIT may take any of the rows that its ORDER BY does not tell apart']],
  'open-row-number': [[{ code: 'open-row-number' }, 'ROW_NUMBER may number rows in any order that its ORDER BY leaves open']],
  'several-partners': [[{ code: 'several-partners' }, 'an UPDATE with several partners of a row may take any of them']],
  'insert-of-query': [[{ code: 'insert-of-query' }, 'an INSERT of a query keeps whichever of two equal keys it meets first']],
  'open-routine': [[{ code: 'open-routine', routine: 'newest' }, 'newest may take any of several rows']],
  'rows-numbered': [[{ code: 'rows-numbered' }, NUMBERED]],
  'number-used': [
    [{ code: 'number-used', by: { kind: 'column', name: 'id' } }, `${NUMBERED}, and what a statement does hangs on id`],
    [{ code: 'number-used', by: { kind: 'view', name: 'latest' } }, `${NUMBERED}, and what a statement does hangs on the view latest`],
    [{ code: 'number-used', by: { kind: 'routine', name: 'noting' } }, `${NUMBERED}, and what a statement does hangs on noting`],
  ],
  'number-read': [[{ code: 'number-read', name: 'mine' }, `${NUMBERED}, and one of these is read into :mine`]],
  'many-ran-together': [[{ code: 'many-ran-together', most: 4 }, 'more than 4 transactions ran together']],
  'many-committed': [[{ code: 'many-committed' }, 'there are too many transactions']],
  'run-cut': [[{ code: 'run-cut' }, 'the execution was cut short, or a statement of a committed transaction found no lock in time']],
  'serial-order-cut': [[{ code: 'serial-order-cut', order: [2, 1] }, 'the serial order T2, T1 could not be executed to its end']],
};

it.each(Object.values(WORDS).flat())('%j', (reason, words) => {
  expect(notComparedWords(reason)).toBe(words);
});
