/** Reads `INTERVAL 2 HOUR` beside + or -, and the equivalent functions DATE_ADD, DATE_SUB, ADDDATE, SUBDATE and TIMESTAMPADD. */
import { secondsOf } from '../../../core/sql/index.ts';
import type { Expression } from '../../../core/sql/index.ts';
import type { Reading } from './reading.ts';
import { insideOf } from './reading.ts';

const EXPECTED =
  'expected a whole number of SECOND, MINUTE, HOUR, DAY or WEEK; draw a later timestamp as a parameter, @parameter :to :from + 1..3 hours';

export function seesInterval({ cursor }: Reading): boolean {
  return cursor.sees('INTERVAL');
}

/** Returns the interval in seconds. */
export function readInterval(reading: Reading): number {
  const { cursor } = reading;
  cursor.expect('INTERVAL');
  const amount = amountOf(reading);
  return amount * unitOf(reading);
}

function amountOf({ cursor }: Reading): number {
  const sign = cursor.accept('-') ? -1 : 1;
  const { kind, text } = cursor.token;
  if (kind !== 'number' || !/^\d{1,9}$/.test(text)) cursor.refuse(`${cursor.shown()} as the length of an INTERVAL: ${EXPECTED}`);
  return sign * Number(cursor.take().text);
}

function unitOf({ cursor }: Reading): number {
  const { kind, text } = cursor.token;
  // MySQL's units have no plural.
  const seconds = kind === 'word' && !/s$/i.test(text) ? secondsOf(text) : undefined;
  if (seconds === undefined) return cursor.refuse(`${cursor.shown()} as the unit of an INTERVAL: it has no one length; ${EXPECTED}`);
  cursor.take();
  return seconds;
}

/** The sign of each function. ADDDATE and SUBDATE with a bare number, which counts days, are refused. */
const DIRECTIONS: Readonly<Record<string, 1 | -1>> = { DATE_ADD: 1, ADDDATE: 1, DATE_SUB: -1, SUBDATE: -1 };

function addDate(reading: Reading, word: string): Expression {
  const { cursor } = reading;
  cursor.expect('(');
  const operand = reading.expression(insideOf(reading));
  cursor.expect(',');
  if (!seesInterval(reading)) cursor.refuse(`${cursor.shown()} in ${word}: expected an INTERVAL, such as INTERVAL 2 HOUR`);
  const seconds = DIRECTIONS[word]! * readInterval(reading);
  cursor.expect(')');
  return { kind: 'shifted', operand, seconds };
}

function timestampAdd(reading: Reading): Expression {
  const { cursor } = reading;
  cursor.expect('(');
  const unit = unitOf(reading);
  cursor.expect(',');
  const amount = amountOf(reading);
  cursor.expect(',');
  const operand = reading.expression(insideOf(reading));
  cursor.expect(')');
  return { kind: 'shifted', operand, seconds: amount * unit };
}

export const INTERVAL_CALLS: Readonly<Record<string, (reading: Reading, word: string) => Expression>> = {
  ...Object.fromEntries(Object.keys(DIRECTIONS).map((word) => [word, addDate])),
  TIMESTAMPADD: timestampAdd,
};
