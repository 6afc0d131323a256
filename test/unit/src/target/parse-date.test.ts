/** Points in time as they are written on the command line. */
import { expect, it } from 'vitest';
import { daysAgo, parseDate } from '../../../../src/target/parse-date.ts';

const NOW = new Date(2026, 10, 24, 21, 30);

it('reads days, times, today and yesterday by the clock of this machine, and how long ago', () => {
  const read = (text: string): Date => parseDate(text, NOW);
  expect(read('2026-11-23')).toEqual(new Date(2026, 10, 23));
  expect(read('2026-11-23T18:05')).toEqual(new Date(2026, 10, 23, 18, 5));
  expect(read('2026-11-23 18:05:07')).toEqual(new Date(2026, 10, 23, 18, 5, 7));
  expect(read('2026-11-23T18:05Z')).toEqual(new Date('2026-11-23T18:05:00Z'));
  expect(read('2026-11-23T18:05:00+02:00')).toEqual(new Date('2026-11-23T16:05:00Z'));
  expect(read('today')).toEqual(new Date(2026, 10, 24));
  expect(read('yesterday')).toEqual(new Date(2026, 10, 23));
  expect(read('24h')).toEqual(new Date(NOW.getTime() - 24 * 3_600_000));
  expect(daysAgo(30, NOW)).toEqual(new Date(2026, 9, 25));
});

it.each([
  ['2026-02-31', 'There is no "2026-02-31"'],
  ['2026-13-01', 'There is no "2026-13-01"'],
  ['2026-11-23T24:61', 'There is no "2026-11-23T24:61"'],
  ['2026-11-25', 'is yet to come'],
  ['23.11.2026', 'Got "23.11.2026"'],
  ['', 'Got ""'],
  ['-1h', 'Got "-1h"'],
])('refuses %j', (text, words) => {
  expect(() => parseDate(text, NOW)).toThrow(words);
  expect(() => parseDate(text, NOW)).toThrow('expected a date such as 2026-11-23');
});
