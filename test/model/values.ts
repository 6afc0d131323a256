/**
 * SQL values of the model database. Numbers are exact (an unscaled BigInt and a scale, as PostgreSQL's numeric);
 * text, dates and timestamps are strings compared by code point (the C collation; ISO dates sort as text); JSON is
 * its own text. `SqlError` is an ordinary outcome of a statement and carries the server's SQLSTATE.
 */
import type { ColumnType, TypeKind, Value } from '../../core/sql/index.ts';
import type { ErrorClass } from '../../core/dialect/index.ts';

export interface Num {
  readonly type: 'integer' | 'bigint' | 'decimal';
  readonly unscaled: bigint;
  readonly scale: number;
}

interface Json {
  readonly json: string;
}

export type SqlValue = null | boolean | string | Num | Json;

export class SqlError extends Error {
  readonly code: string;
  readonly class: ErrorClass;

  constructor(code: string, errorClass: ErrorClass, message: string) {
    super(message);
    this.code = code;
    this.class = errorClass;
  }
}

const RANGE = { integer: [-(2n ** 31n), 2n ** 31n - 1n], bigint: [-(2n ** 63n), 2n ** 63n - 1n] } as const;
/** Digits that a numeric keeps before the point. */
const DECIMAL_LIMIT = 10n ** 131072n;
const POWERS: bigint[] = [1n];

export function power10(n: number): bigint {
  for (let i = POWERS.length; i <= n; i++) POWERS.push(POWERS[i - 1]! * 10n);
  return POWERS[n]!;
}

/** A number of the type; integers out of range fail as on the server. */
export function number(type: Num['type'], unscaled: bigint, scale: number): Num {
  if (
    type === 'decimal' ? unscaled >= DECIMAL_LIMIT || unscaled <= -DECIMAL_LIMIT : unscaled < RANGE[type][0] || unscaled > RANGE[type][1]
  ) {
    throw new SqlError('22003', 'data', `${type} out of range`);
  }
  return { type, unscaled, scale };
}

export function isNumber(value: SqlValue): value is Num {
  return typeof value === 'object' && value !== null && 'unscaled' in value;
}

function isJson(value: SqlValue): value is Json {
  return typeof value === 'object' && value !== null && 'json' in value;
}

function parseNumber(type: Num['type'], text: string): Num {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!match || (match[2] === '' && !match[3])) throw new SqlError('22P02', 'data', `invalid input for type ${type}: ${text}`);
  const fraction = match[3] ?? '';
  if (type !== 'decimal' && fraction !== '') throw new SqlError('22P02', 'data', `invalid input for type ${type}: ${text}`);
  return number(type, BigInt(match[1]! + match[2]! + fraction), fraction.length);
}

/** A literal of the statement IR or of an initial row as a value. */
export function fromLiteral(type: TypeKind, value: Value): SqlValue {
  if (value === null) return null;
  if (type === 'integer' || type === 'bigint' || type === 'decimal') return parseNumber(type, String(value));
  if (type === 'boolean') return value === true || value === 'true';
  return String(value);
}

/** The text a server sends for a value in its text protocol. */
export function canonicalText(value: SqlValue): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'string') return value;
  if (isJson(value)) return value.json;
  if (value.scale === 0) return value.unscaled.toString();
  const digits = (value.unscaled < 0n ? -value.unscaled : value.unscaled).toString().padStart(value.scale + 1, '0');
  return `${value.unscaled < 0n ? '-' : ''}${digits.slice(0, -value.scale)}.${digits.slice(-value.scale)}`;
}

export function jsonText(value: SqlValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  return canonicalText(value)!;
}

/** Negative, zero or positive; both values are of comparable types and not null. */
export function compareValues(a: SqlValue, b: SqlValue): number {
  if (isNumber(a) && isNumber(b)) {
    const scale = Math.max(a.scale, b.scale);
    const x = a.unscaled * power10(scale - a.scale);
    const y = b.unscaled * power10(scale - b.scale);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw new SqlError('42883', 'syntax', `operator does not exist: ${typeof a} and ${typeof b}`);
}

/** NULLs after everything else. */
export function compareNullsLast(a: SqlValue, b: SqlValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareValues(a, b);
}

/** Equal for rows that GROUP BY, DISTINCT and set operations take for one: NULLs are alike, 1.0 is 1. */
export function keyOf(values: readonly SqlValue[]): string {
  return values
    .map((value) =>
      typeof value === 'string'
        ? JSON.stringify(value)
        : isNumber(value) && value.scale > 0
          ? canonicalText(value)!.replace(/\.?0+$/, '')
          : String(canonicalText(value)),
    )
    .join(',');
}

/** Code point order: UTF-16 order but for surrogates, which sort above the rest of the basic plane. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return fix(x) - fix(y);
  }
  return a.length - b.length;
}

function fix(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}

export function valuesEqual(a: SqlValue, b: SqlValue): boolean {
  return a !== null && b !== null && compareValues(a, b) === 0;
}

/** The value as a column stores it: scale, length and range as the server applies them on assignment. */
export function assign(type: ColumnType, value: SqlValue): SqlValue {
  if (value === null) return null;
  switch (type.kind) {
    case 'integer':
    case 'bigint':
      if (!isNumber(value)) throw mismatch(type.kind, value);
      return number(type.kind, round(value, 0), 0);
    case 'decimal': {
      if (!isNumber(value)) throw mismatch(type.kind, value);
      const unscaled = round(value, type.scale);
      const limit = power10(type.precision);
      if (unscaled >= limit || unscaled <= -limit) throw new SqlError('22003', 'data', 'numeric field overflow');
      return { type: 'decimal', unscaled, scale: type.scale };
    }
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(type.kind, value);
      return value;
    case 'varchar': {
      if (typeof value !== 'string') throw mismatch(type.kind, value);
      if (value.length <= type.length) return value;
      const points = Array.from(value);
      if (points.slice(type.length).some((c) => c !== ' ')) {
        throw new SqlError('22001', 'data', `value too long for type character varying(${type.length})`);
      }
      return points.slice(0, type.length).join('');
    }
    case 'text':
      if (typeof value !== 'string') throw mismatch(type.kind, value);
      return value;
    case 'date':
      if (typeof value !== 'string') throw mismatch(type.kind, value);
      return value.slice(0, 10);
    case 'timestamp':
      if (typeof value !== 'string') throw mismatch(type.kind, value);
      return value.length === 10 ? `${value} 00:00:00` : value;
  }
}

function mismatch(kind: TypeKind, value: SqlValue): SqlError {
  return new SqlError('42804', 'syntax', `column is of type ${kind} but the value is ${String(canonicalText(value))}`);
}

/** Unscaled value at another scale, half away from zero. */
function round(value: Num, scale: number): bigint {
  if (value.scale <= scale) return value.unscaled * power10(scale - value.scale);
  return divideRounding(value.unscaled, power10(value.scale - scale));
}

/** Half away from zero; the divisor is positive. */
export function divideRounding(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n;
  const magnitude = negative ? -dividend : dividend;
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return negative ? -rounded : rounded;
}
