/**
 * Literals, with their types wherever PostgreSQL would otherwise guess. A bare '...' has an unknown type, and a bare
 * NULL becomes text in a UNION. So dates, numbers beyond integer and every NULL name their type.
 */
import type { ColumnType, TypeKind, Value } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { expectValueOf } from '../printer/literal.ts';
import { quoteText } from './quote.ts';

/** Type names without length or scale, so that no literal is cut. */
const TYPE_NAMES = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  text: 'text',
  varchar: 'varchar',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
} satisfies Record<TypeKind, string>;

export function typeName(kind: TypeKind): string {
  return TYPE_NAMES[kind];
}

/** The column's type in DDL. */
export function columnTypeName(type: ColumnType): string {
  if (type.kind === 'decimal') return `numeric(${type.precision}, ${type.scale})`;
  if (type.kind === 'varchar') return `varchar(${type.length})`;
  return TYPE_NAMES[type.kind];
}

export function printLiteral(kind: TypeKind, value: Value): string {
  if (value === null) return `CAST(NULL AS ${TYPE_NAMES[kind]})`;
  expectValueOf(kind, value);
  if (kind === 'integer') return printInteger(Number(value));
  if (kind === 'boolean') return value === true ? 'TRUE' : 'FALSE';
  if (kind === 'text' || kind === 'varchar') return quoteText(String(value));
  return `${TYPE_NAMES[kind]} ${quoteText(String(value))}`;
}

/** A negative number is in parentheses. `a - -1` would open a comment if the blank were lost, and `-1::t` would cast first. */
function printInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new InternalError(`literal ${value} is no whole number`);
  return value < 0 ? `(${value})` : String(value);
}
