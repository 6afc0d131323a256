/**
 * Intervals that are added to a timestamp. Only units of fixed length count. Timestamps here are in UTC, so a day has
 * 24 hours. A month has no fixed length.
 */
import type { Expression } from './statement.ts';

export const TIME_UNITS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 };

/** The seconds in a unit, written in the singular or the plural. Undefined: no unit of fixed length. */
export function secondsOf(unit: string): number | undefined {
  const word = unit.toLowerCase().replace(/s$/, '');
  return Object.hasOwn(TIME_UNITS, word) ? TIME_UNITS[word] : undefined;
}

/** Both timestamps are YYYY-MM-DD HH:MM:SS. Undefined: the result is outside of the calendar that both DBMSs share. */
export function timestampAfter(text: string, seconds: number): string | undefined {
  const time = new Date(Date.parse(`${text.replace(' ', 'T')}Z`) + seconds * 1000);
  const year = time.getUTCFullYear();
  return year >= 1000 && year <= 9999 ? time.toISOString().slice(0, 19).replace('T', ' ') : undefined;
}

/** Adds the seconds to a literal. Other operands stay as they are, and the server adds. */
export function shiftedLiteral(expression: Expression): Expression {
  if (expression.kind !== 'shifted' || expression.operand.kind !== 'literal') return expression;
  const { value } = expression.operand;
  if (value === null) return { kind: 'literal', type: 'timestamp', value };
  const moved = timestampAfter(String(value), expression.seconds);
  return moved === undefined ? expression : { kind: 'literal', type: 'timestamp', value: moved };
}
