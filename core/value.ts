/** Column types and the values that literals and initial rows hold, as canonical text or JSON scalars. */

export type ColumnType =
  | { readonly kind: 'integer' | 'bigint' | 'text' | 'boolean' | 'date' | 'timestamp' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'varchar'; readonly length: number };

export type TypeKind = ColumnType['kind'];

/** Types that there are ranges of. */
export type RangeKind = Extract<TypeKind, 'integer' | 'bigint' | 'decimal' | 'date' | 'timestamp'>;
/** Whether a range holds its lower end and its upper end. */
export type Bounds = '[)' | '[]' | '(]' | '()';

/**
 * A literal: integer is a number; boolean a boolean; bigint and decimal decimal text; date `YYYY-MM-DD`;
 * timestamp `YYYY-MM-DD HH:MM:SS`; text and varchar themselves; NULL is null.
 */
export type Value = null | boolean | number | string;

/** Types whose values compare and stand for one another. */
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
