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
  'hidden-border': [
    [{ code: 'hidden-border', step: 's1', border: 'ends and goes on' }, 'step s1 ends a transaction and goes on behind it'],
    [{ code: 'hidden-border', step: 's1', border: 'begins within' }, 'step s1 begins a transaction within another one'],
    [{ code: 'hidden-border', step: 's1', border: 'several outside' }, 'step s1 has several statements outside a transaction'],
  ],
  'no-status': [[{ code: 'no-status' }, 'the driver does not say which steps a transaction has']],
  'several-transactions': [[{ code: 'several-transactions', session: 's1' }, 'session s1 has several transactions']],
  'setup-beside-open': [
    [{ code: 'setup-beside-open', session: 's2' }, 'the setup of session s2 is a transaction beside one that an earlier setup left open'],
  ],
  'nothing-committed': [[{ code: 'nothing-committed' }, 'no transaction committed']],
  'level-unknown': [[{ code: 'level-unknown', session: 's1' }, 'the server does not tell the level of the transaction of session s1']],
  'other-level': [
    [
      { code: 'other-level', session: 's1', level: 'read committed', asked: 'serializable' },
      'the transaction of session s1 runs at read committed instead of serializable',
    ],
  ],
  'levels-differ': [
    [
      { code: 'levels-differ', levels: ['read committed', 'serializable'] },
      'its transactions run at different levels (read committed, serializable)',
    ],
  ],
  'open-words': [
    [{ code: 'open-words', word: 'skip locked' }, 'SKIP LOCKED leaves out what others have locked'],
    [{ code: 'open-words', word: 'numbers' }, 'the server hands out numbers in the order in which it meets the statements'],
    [{ code: 'open-words', word: 'time or chance' }, 'some answers depend on the time or on chance'],
    [{ code: 'open-words', word: 'server internals' }, 'it asks the server for what it keeps for itself'],
    [{ code: 'open-words', word: 'named locks' }, 'locks by name are no data'],
    [{ code: 'open-words', word: 'limit' }, 'a LIMIT may take any of several rows'],
    [{ code: 'open-words', word: 'row order' }, 'a cursor, an aggregate or a window takes rows in an order that the server chooses'],
    [{ code: 'open-words', word: 'table changes' }, 'a step changes a table itself, which the promises of levels do not speak of'],
    [{ code: 'open-words', word: 'calls' }, 'a step calls what is not known here'],
    [{ code: 'open-words', word: 'hidden ends' }, 'a step ends a transaction in a way that hides its border'],
    [{ code: 'open-words', word: 'level settings' }, 'it sets the level or autocommit by a setting, which is not replaced'],
  ],
  'session-lost': [[{ code: 'session-lost' }, 'the server ended a session']],
  'serial-order-odd': [
    [{ code: 'serial-order-odd', step: 'a' }, 'in a serial order step a waits'],
    [{ code: 'serial-order-odd', step: 'a', error: 'no such table' }, 'in a serial order step a fails: no such table'],
  ],
  'many-serial-orders': [
    [{ code: 'many-serial-orders', count: 5040, most: 1000 }, 'its transactions have 5040 serial orders; expected at most 1000'],
  ],
  'serial-order-unstable': [[{ code: 'serial-order-unstable' }, 'the same serial order answers otherwise each time']],
  'not-again': [[{ code: 'not-again', seen: 2, tries: 5 }, 'the same order of steps differed from every serial order in 2 of 5 runs only']],
};

it.each(Object.values(WORDS).flat())('%j', (reason, words) => {
  expect(notComparedWords(reason)).toBe(words);
});
