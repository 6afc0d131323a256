/** The words of every reason why results are not compared. A reason without words does not compile. */
import type { NotCompared, NotComparedCode, NumberUser } from '../../core/verdict/index.ts';

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
};

/** Prints the reason as a clause that follows "as". */
export function notComparedWords<C extends NotComparedCode>(reason: NotCompared<C>): string {
  const { code } = reason as NotCompared;
  return (WORDS[code] as (reason: NotCompared<C>) => string)(reason);
}

function userWords({ kind, name }: NumberUser): string {
  return kind === 'view' ? `the view ${name}` : name;
}
