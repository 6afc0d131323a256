/** The words of every reason why no draw is aimed at a way to meet. A reason without words does not compile. */
import type { ApartCode, NotAimed, NotAimedCode } from '../../core/verdict/index.ts';

const WORDS: Readonly<Record<NotAimedCode, string>> = {
  'no-rows-made': 'no rows are made for it',
  'no-single-key': 'no one key names its rows',
  'no-such-row': 'no row is so',
  'keys-exclude': 'the keys of the table rule it out',
  'no-common-value': 'the parameters have no value in common',
  'rows-refused': 'the server, a transaction or an invariant refuses such rows',
  'no-statement-asks': 'no statement asks for it',
  'other-conditions': 'no row was found for what else it asks',
};

const APART: Readonly<Record<ApartCode, string>> = {
  'only-reads': 'they only read',
  'no-written-table': 'neither writes to a table that the other one uses',
};

/** Returns the way and the reason. */
export function notAimedWords({ way, code }: NotAimed): string {
  return `${way}: ${WORDS[code]}`;
}

/** Prints the reason as a clause that follows "as". */
export function apartWords(code: ApartCode): string {
  return APART[code];
}
