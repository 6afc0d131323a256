/**
 * Aggregates over the values of a group, as PostgreSQL types them: SUM of integers is a bigint, of wider numbers a
 * numeric; AVG is a numeric with at least 16 significant digits (numeric.c, select_div_scale). NULLs do not count.
 */
import type { AggregateName } from '../../core/sql/index.ts';
import { SqlError, compareValues, divideRounding, isNumber, jsonText, keyOf, number, power10 } from './values.ts';
import type { Num, SqlValue } from './values.ts';

export function aggregateOf(name: AggregateName, given: readonly SqlValue[], distinct: boolean): SqlValue {
  const present = given.filter((value) => value !== null);
  const values = distinct ? [...new Map(present.map((value) => [keyOf([value]), value])).values()] : present;
  if (name === 'count') return number('bigint', BigInt(values.length), 0);
  if (values.length === 0) return null;
  if (name === 'min' || name === 'max')
    return values.reduce((best, value) =>
      compareValues(value, best) < 0 === (name === 'min') && compareValues(value, best) !== 0 ? value : best,
    );
  const sum = sumOf(values);
  return name === 'sum' ? sum : average(sum, BigInt(values.length));
}

/** json_agg: null for no rows. */
export function jsonOf(values: readonly SqlValue[]): SqlValue {
  return values.length === 0 ? null : { json: `[${values.map(jsonText).join(', ')}]` };
}

function sumOf(values: readonly SqlValue[]): Num {
  let scale = 0;
  for (const value of values) {
    if (!isNumber(value)) throw new SqlError('42883', 'syntax', 'no such sum');
    scale = Math.max(scale, value.scale);
  }
  const numbers = values as readonly Num[];
  const total = numbers.reduce((sum, value) => sum + value.unscaled * power10(scale - value.scale), 0n);
  return number(numbers.every(({ type }) => type === 'integer') ? 'bigint' : 'decimal', total, scale);
}

function average(sum: Num, count: bigint): Num {
  const [a, b] = [leading(sum.unscaled, sum.scale), leading(count, 0)];
  const weight = a.weight - b.weight - (a.digit <= b.digit ? 1 : 0);
  const scale = Math.max(16 - 4 * weight, sum.scale, 0);
  return number('decimal', divideRounding(sum.unscaled * power10(scale), count * power10(sum.scale)), scale);
}

/** The first digit to the base 10000 that is not zero, and its weight. */
function leading(unscaled: bigint, scale: number): { readonly weight: number; readonly digit: number } {
  if (unscaled === 0n) return { weight: 0, digit: 0 };
  const magnitude = unscaled < 0n ? -unscaled : unscaled;
  const shift = (4 - (scale % 4)) % 4;
  const text = (magnitude * power10(shift)).toString();
  const groups = Math.ceil(text.length / 4);
  return { weight: groups - 1 - (scale + shift) / 4, digit: Number(text.slice(0, text.length - 4 * (groups - 1))) };
}
