/** The words of every reason why results are not compared. A reason without words does not compile. */
import type { HiddenBorder, NotCompared, NotComparedCode, NumberUser, OpenWord } from '../../core/verdict/index.ts';

type Words = { readonly [C in NotComparedCode]: (reason: NotCompared<C>) => string };

const NUMBERED = 'the server numbers new rows in the order in which it meets them, whoever commits';

const WORDS: Words = {
  'skip-locked': () => 'SKIP LOCKED leaves out what others have locked',
  'open-limit': () => 'a LIMIT may take any of the rows that its ORDER BY does not tell apart',
  'open-row-number': () => 'ROW_NUMBER may number rows in any order that its ORDER BY leaves open',
  'several-partners': () => 'an UPDATE with several partners of a row may take any of them',
  'insert-of-query': () => 'an INSERT of a query keeps whichever of two equal keys it meets first',
  'open-routine': ({ routine }) => `${routine} may take any of several rows`,

  'rows-numbered': () => NUMBERED,
  'number-used': ({ by }) => `${NUMBERED}, and what a statement does hangs on ${userWords(by)}`,
  'number-read': ({ name }) => `${NUMBERED}, and one of these is read into :${name}`,

  'many-ran-together': ({ most }) => `more than ${most} transactions ran together`,
  'many-committed': () => 'there are too many transactions',
  'run-cut': () => 'the execution was cut short, or a statement of a committed transaction found no lock in time',
  'serial-order-cut': ({ order }) => `the serial order ${order.map((id) => `T${id}`).join(', ')} could not be executed to its end`,

  'hidden-border': ({ step, border }) => `step ${step} ${BORDERS[border]}`,
  'no-status': () => 'the driver does not say which steps a transaction has',
  'several-transactions': ({ session }) => `session ${session} has several transactions`,
  'setup-beside-open': ({ session }) => `the setup of session ${session} is a transaction beside one that an earlier setup left open`,
  'nothing-committed': () => 'no transaction committed',
  'level-unknown': ({ session }) => `the server does not tell the level of the transaction of session ${session}`,
  'other-level': ({ session, level, asked }) => `the transaction of session ${session} runs at ${level} instead of ${asked}`,
  'levels-differ': ({ levels }) => `its transactions run at different levels (${levels.join(', ')})`,
  'open-words': ({ word }) => OPEN_WORDS[word],
  'session-lost': () => 'the server ended a session',
  'serial-order-odd': ({ step, error }) => `in a serial order step ${step} ${error === undefined ? 'waits' : `fails: ${error}`}`,
  'many-serial-orders': ({ count, most }) => `its transactions have ${count} serial orders; expected at most ${most}`,
  'serial-order-unstable': () => 'the same serial order answers otherwise each time',
  'not-again': ({ seen, tries }) => `the same order of steps differed from every serial order in ${seen} of ${tries} runs only`,
};

const BORDERS: Readonly<Record<HiddenBorder, string>> = {
  'ends and goes on': 'ends a transaction and goes on behind it',
  'begins within': 'begins a transaction within another one',
  'several outside': 'has several statements outside a transaction',
};

const OPEN_WORDS: Readonly<Record<OpenWord, string>> = {
  'skip locked': 'SKIP LOCKED leaves out what others have locked',
  numbers: 'the server hands out numbers in the order in which it meets the statements',
  'time or chance': 'some answers depend on the time or on chance',
  'server internals': 'it asks the server for what it keeps for itself',
  'named locks': 'locks by name are no data',
  limit: 'a LIMIT may take any of several rows',
  'row order': 'a cursor, an aggregate or a window takes rows in an order that the server chooses',
  'table changes': 'a step changes a table itself, which the promises of levels do not speak of',
  calls: 'a step calls what is not known here',
  'hidden ends': 'a step ends a transaction in a way that hides its border',
  'level settings': 'it sets the level or autocommit by a setting, which is not replaced',
};

/** Prints the reason as a clause that follows "as". */
export function notComparedWords<C extends NotComparedCode>(reason: NotCompared<C>): string {
  const { code } = reason as NotCompared;
  return (WORDS[code] as (reason: NotCompared<C>) => string)(reason);
}

function userWords({ kind, name }: NumberUser): string {
  return kind === 'view' ? `the view ${name}` : name;
}
