/**
 * Moments of a workload file's parameters: days and timestamps, in steps of their type (days, seconds), and units of
 * time.
 */
import { TIME_UNITS, secondsOf } from '../../core/index.ts';
import type { TypeKind } from '../../core/index.ts';

export type Moment = 'date' | 'timestamp';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** About a century, in days. */
const MOST_DAYS = 36_525;
const UNITS = Object.keys(TIME_UNITS).map((unit) => `${unit}s`);

interface MomentRange {
  readonly kind: 'range';
  readonly type: Moment;
  readonly from: number;
  readonly to: number;
  readonly scale: number;
  readonly every: number;
}

interface MomentList {
  readonly kind: 'list';
  readonly type: Moment;
  readonly values: readonly string[];
}

/** Returns the steps of a type in one unit. A text says why there is no whole number of them. */
function stepsIn(type: Moment, unit: string): number | string {
  const seconds = secondsOf(unit);
  if (seconds === undefined) return `got the unit ${unit}, expected one of ${UNITS.join(', ')}`;
  if (type === 'timestamp') return seconds;
  return seconds % DAY_SECONDS === 0
    ? seconds / DAY_SECONDS
    : `got the unit ${unit} for a date, expected days or weeks; or draw a timestamp`;
}

export function momentOf(type: Moment, text: string): number {
  const form = type === 'date' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/;
  const time = form.test(text) ? Date.parse(`${text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T')}Z`) : Number.NaN;
  // No calendar has a 30th of February.
  return new Date(time || 0).toISOString().slice(0, 10) === text.slice(0, 10) ? time / (type === 'date' ? DAY_MS : 1000) : Number.NaN;
}

/** Draws a number of units after the first moment. */
export function moments(
  type: Moment,
  first: string,
  { from, to, unit }: { readonly from: number; readonly to: number; readonly unit: string },
): MomentRange | string {
  const at = momentOf(type, first);
  const every = stepsIn(type, unit);
  if (Number.isNaN(at)) return `got '${first}', expected a ${type} like ${SHOWN[type]}`;
  if (typeof every === 'string') return every;
  const range = { kind: 'range', type, from: at + from * every, to: at + to * every, scale: 0, every } as const;
  const century = MOST_DAYS * (type === 'date' ? 1 : DAY_SECONDS);
  if (from > to) return `the range ${from}..${to} ${unit} is empty; expected the lower bound first`;
  return to * every > century ? `${to} ${unit} are more than a century; expected fewer` : range;
}

const SHOWN: Readonly<Record<Moment, string>> = { date: '2026-01-31', timestamp: '2026-01-31 10:00' };

export function listOfMoments(type: Moment, text: string): MomentList | string {
  const items = text.split(',').map((item) => new RegExp(`^\\s*(?:${type}\\s+)?'([^']*)'\\s*$`).exec(item)?.[1]);
  const steps = items.map((item) => momentOf(type, item ?? ''));
  return steps.some(Number.isNaN)
    ? `got the list ${text}, expected moments in quotes with commas between them: one of ${type} '${SHOWN[type]}', '${SHOWN[type]}'`
    : { kind: 'list', type, values: steps.map((step) => momentText(type, step)) };
}

export function momentText(type: Moment, step: number): string {
  const text = new Date(step * (type === 'date' ? DAY_MS : 1000)).toISOString();
  return type === 'date' ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

/** A number of steps, or units, after another parameter's value. */
export interface BehindRule {
  readonly kind: 'behind';
  readonly other: string;
  readonly from: number;
  readonly to: number;
  readonly unit?: string;
}

/** Returns how many steps of the other parameter's type one step of the rule is. A text says why it has none. */
export function stepBehind({ other, from, to, unit }: BehindRule, type: TypeKind): number | string {
  const range = `:${other} + ${from === to ? from : `${from}..${to}`}`;
  if (type === 'integer') return unit === undefined ? 1 : `:${other} is a whole number, and ${range} ${unit} is none: leave ${unit} out`;
  if (type !== 'date' && type !== 'timestamp')
    return `:${other} is of type ${type}; only a whole number, a date or a timestamp has a successor`;
  if (unit === undefined && type === 'timestamp')
    return `:${other} is a timestamp, and ${range} does not say of what: write ${range} hours, or one of ${UNITS.join(', ')}`;
  const step = stepsIn(type, unit ?? 'day');
  if (typeof step === 'string') return step;
  const days = (to * step) / (type === 'date' ? 1 : DAY_SECONDS);
  return days > MOST_DAYS
    ? `${range}${unit === undefined ? '' : ` ${unit}`} is more than a century; expected at most ${MOST_DAYS} days`
    : step;
}
