/**
 * Parses a point in time on the command line: a day, which begins at midnight of this machine's time zone, a time of a
 * day, or a time ago.
 */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { parseDuration } from './parse-options.ts';

const EXPECTED = 'a date such as 2026-11-23 or 2026-11-23T18:00, today, yesterday, or how long ago, such as 24h';
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d)?)?$/;
const DAYS_AGO: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

export function parseDate(text: string, now: Date = new Date()): Date {
  const date = dateOf(text, now);
  if (date > now) throw new InvalidArgumentError(`Got ${JSON.stringify(text)}, which is yet to come; expected ${EXPECTED}.`);
  return date;
}

/** The day begins by the clock, also on days of 23 and 25 hours. */
export function daysAgo(days: number, now: Date = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

function dateOf(text: string, now: Date): Date {
  const days = DAYS_AGO[text];
  if (days !== undefined) return daysAgo(days, now);
  const match = DATE.exec(text);
  if (match === null) return new Date(now.getTime() - agoOf(text));
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = ''] = match;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  // Date reads the 31st of February as a day of March.
  const isThere = new Date(Number(year), Number(month) - 1, Number(day)).getDate() === Number(day) && Number(month) <= 12;
  if (Number.isNaN(date.getTime()) || !isThere)
    throw new InvalidArgumentError(`There is no ${JSON.stringify(text)}; expected ${EXPECTED}.`);
  return date;
}

function agoOf(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected ${EXPECTED}.`);
  }
}
