/** Column types and the values that literals and initial rows hold, as canonical text or JSON scalars. */

export type ColumnType =
  | { readonly kind: 'integer' | 'bigint' | 'text' | 'boolean' | 'date' | 'timestamp' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'varchar'; readonly length: number };

export type TypeKind = ColumnType['kind'];

/** Types that have range types. */
export type RangeKind = Extract<TypeKind, 'integer' | 'bigint' | 'decimal' | 'date' | 'timestamp'>;
/** Whether a range includes its lower end and its upper end. */
export type Bounds = '[)' | '[]' | '(]' | '()';

/**
 * The value of a literal. Integers are numbers, booleans are booleans, bigint and decimal are decimal text. A date is
 * `YYYY-MM-DD` and a timestamp `YYYY-MM-DD HH:MM:SS`. Text and varchar are themselves, and NULL is null.
 */
export type Value = null | boolean | number | string;

/** Types whose values can be compared with one another. */
export const FAMILIES: Readonly<Record<TypeKind, 'numbers' | 'text' | 'booleans' | 'dates'>> = {
  integer: 'numbers',
  bigint: 'numbers',
  decimal: 'numbers',
  text: 'text',
  varchar: 'text',
  boolean: 'booleans',
  date: 'dates',
  timestamp: 'dates',
};
