/**
 * The values that a parameter can take, numbered if they can be counted. A domain can draw one at random, test one, and
 * list some of them.
 */
import type { Random, TypeKind, Value } from '../../core/index.ts';
import { momentOf, momentText, type Moment } from './moments.ts';

/** The values of a type, numbered. */
export type Domain =
  | Counted
  /** The values that a column has in the initial rows. Without a column these are the values of the primary key. */
  | { readonly kind: 'rows'; readonly table: string; readonly column?: string };

export type Counted =
  /** Steps `from` .. `to`, shown by the type. */
  | {
      readonly kind: 'range';
      readonly type: TypeKind;
      readonly from: number;
      readonly to: number;
      readonly scale: number;
      /** Takes only every so many steps, from the first on. */
      readonly every?: number;
    }
  | { readonly kind: 'list'; readonly type: TypeKind; readonly values: readonly Value[] };

/** A domain from which several parameters may be drawn. */
export interface ParameterDomain {
  /** The same name means the same values. */
  readonly name: string;
  readonly draw: (random: Random) => Value;
  readonly holds: (value: Value) => boolean;
  /** Returns all values, or some of them with both ends if there are more than `most`. */
  readonly some: (most: number, random: Random) => readonly Value[];
  /** Returns values around one of any domain, on both sides of it. The list is empty if they have no order. */
  readonly around: (type: TypeKind, value: Value) => readonly Value[];
  /** The values are those of rows: a further row adds one. */
  readonly ofRows?: true;
}

export function domainOf(rule: Domain, values: Counted): ParameterDomain {
  const size = sizeOf(values);
  const at = (n: number): Value => valueAt(values, n);
  return {
    name: JSON.stringify(rule),
    draw: (random) => at(values.kind === 'range' ? towardsEnds(random, size) : random.int(0, size - 1)),
    holds: holdsOf(values),
    some: (most, random) =>
      size <= most
        ? Array.from({ length: size }, (_, n) => at(n))
        : [...new Set([0, size - 1, ...Array.from({ length: most - 2 }, () => random.int(0, size - 1))])].map(at),
    around: (type, value) => aroundIn(values, numberOf(type, value)),
    ...(rule.kind === 'rows' && { ofRows: true }),
  };
}

/** Makes the domain of texts of small letters. */
export function textsOf(name: string, [shortest, longest]: readonly [number, number], draw: (random: Random) => Value): ParameterDomain {
  const holds = (value: Value): boolean =>
    typeof value === 'string' && /^[a-z]*$/.test(value) && value.length >= shortest && value.length <= longest;
  return { name, draw, holds, around: () => [], some: (most, random) => Array.from({ length: most }, () => draw(random)) };
}

/** The number of values on each side. */
const NEIGHBOURS = 2;
const DAY_SECONDS = 86_400;

function aroundIn(values: Counted, wanted: number): readonly Value[] {
  if (Number.isNaN(wanted)) return [];
  if (values.kind === 'list') {
    const distance = (value: Value): number => Math.abs(numberOf(values.type, value) - wanted);
    const ordered = values.values.filter((value) => !Number.isNaN(distance(value)));
    return ordered.toSorted((a, b) => distance(a) - distance(b)).slice(0, 2 * NEIGHBOURS + 1);
  }
  const { type, from, scale, every = 1 } = values;
  const step = type === 'date' ? wanted / DAY_SECONDS : wanted * 10 ** scale;
  const place = Math.floor((step - from) / every);
  const last = sizeOf(values) - 1;
  const places = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, n) => Math.min(Math.max(place + n - NEIGHBOURS, 0), last));
  return [...new Set(places)].map((n) => valueAt(values, n));
}

/** Moments are seconds. A value without a place on a line is not a number. */
function numberOf(type: TypeKind, value: Value): number {
  if (type === 'date') return momentOf(type, String(value)) * DAY_SECONDS;
  if (type === 'timestamp') return momentOf(type, String(value));
  return type === 'integer' || type === 'bigint' || type === 'decimal' ? Number(value) : Number.NaN;
}

export function sizeOf(values: Counted): number {
  return values.kind === 'range' ? (values.to - values.from) / (values.every ?? 1) + 1 : values.values.length;
}

export function valueAt(values: Counted, n: number): Value {
  return values.kind === 'range' ? shown(values.type, values.from + n * (values.every ?? 1), values.scale) : values.values[n]!;
}

/** Draws the limits more often, because a sum or a range shows more there. */
function towardsEnds(random: Random, size: number): number {
  return random.chance(0.5) ? random.int(0, size - 1) : random.chance(0.5) ? size - 1 : 0;
}

/** A bigint is a text, an integer a number. */
function holdsOf(values: Counted): (value: Value) => boolean {
  if (values.kind === 'list') {
    const all = new Set(values.values.map(String));
    return (value) => all.has(String(value));
  }
  const { type, from, to, scale, every = 1 } = values;
  return (value) => {
    const step = stepOf(type, String(value), scale);
    return Number.isInteger(step) && step >= from && step <= to && (step - from) % every === 0;
  };
}

/** Returns the value of a step. */
export function shown(type: TypeKind, step: number, scale: number): Value {
  if (type === 'integer') return step;
  if (type === 'date' || type === 'timestamp') return momentText(type, step);
  return (step / 10 ** scale).toFixed(scale);
}

/** Does the reverse of `shown`. The result is no whole number if there is no such step. */
function stepOf(type: TypeKind, text: string, scale: number): number {
  if (type === 'date' || type === 'timestamp') return momentOf(type satisfies Moment, text);
  // Cents as a binary fraction may be slightly too small.
  return Math.round(Number(text) * 10 ** (scale + 6)) / 10 ** 6;
}
