/**
 * Time that is added to a timestamp. Units that have one length everywhere: timestamps here are those of UTC, so a day has 24 hours;
 * a month has no such length.
 */
import type { Expression } from './statement.ts';

export const TIME_UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 };

/** Seconds in a unit that is written in the singular or the plural; undefined: no unit of one length. */
export function secondsOf(unit: string): number | undefined {
  const word = unit.toLowerCase().replace(/s$/, '');
  return Object.hasOwn(TIME_UNITS, word) ? TIME_UNITS[word] : undefined;
}

/** Both as YYYY-MM-DD HH:MM:SS. Undefined: the calendar that both DBMSs share ends before it. */
export function timestampAfter(text: string, seconds: number): string | undefined {
  const time = new Date(Date.parse(`${text.replace(' ', 'T')}Z`) + seconds * 1000);
  const year = time.getUTCFullYear();
  return year >= 1000 && year <= 9999 ? time.toISOString().slice(0, 19).replace('T', ' ') : undefined;
}

/** Of a literal the timestamp that it comes to; anything else stays as it is, and the server adds. */
export function shiftedLiteral(expression: Expression): Expression {
  if (expression.kind !== 'shifted' || expression.operand.kind !== 'literal') return expression;
  const { value } = expression.operand;
  if (value === null) return { kind: 'literal', type: 'timestamp', value };
  const moved = timestampAfter(String(value), expression.seconds);
  return moved === undefined ? expression : { kind: 'literal', type: 'timestamp', value: moved };
}
