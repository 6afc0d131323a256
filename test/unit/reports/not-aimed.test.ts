/** Each reason why no draw is aimed at a way to meet has its own words. */
import { expect, it } from 'vitest';
import type { ApartCode, NotAimedCode } from '../../../core/verdict/index.ts';
import { apartWords, notAimedWords } from '../../../reports/index.ts';

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

it.each(Object.entries(WORDS))('%s', (code, words) => {
  expect(notAimedWords({ way: 'the same t.id', code: code as NotAimedCode })).toBe(`the same t.id: ${words}`);
});

it.each(Object.entries(APART))('%s', (code, words) => {
  expect(apartWords(code as ApartCode)).toBe(words);
});
