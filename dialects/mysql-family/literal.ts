/**
 * Literals and types. NULL names its type, so that a UNION or a derived column gets it. Numbers, booleans and texts are
 * plain literals. Booleans return as 1 and 0.
 */
import type { ColumnType, TypeKind, Value } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { expectValueOf } from '../printer/literal.ts';
import { quoteText } from './quote.ts';

/** Types for CAST. It has no boolean, and DECIMAL without a scale would round. */
const CAST_TYPES = {
  integer: 'SIGNED',
  bigint: 'SIGNED',
  decimal: 'DECIMAL(65,10)',
  text: 'CHAR',
  varchar: 'CHAR',
  boolean: 'SIGNED',
  date: 'DATE',
  timestamp: 'DATETIME',
} satisfies Record<TypeKind, string>;

const COLUMN_TYPES = {
  integer: 'int',
  bigint: 'bigint',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'datetime',
} satisfies Record<Exclude<TypeKind, 'decimal' | 'varchar'>, string>;

/** The length of a text in a key or with a default, as such a column cannot be of type text. Four of these fit into one key. */
export const KEYED_TEXT_LENGTH = 190;
const KEYED_TEXT = `varchar(${KEYED_TEXT_LENGTH})`;

export function castType(kind: TypeKind): string {
  return CAST_TYPES[kind];
}

/** The column's type in DDL. `keyed`: the column is part of a key or an index, or has a default. */
export function columnTypeName(type: ColumnType, keyed: boolean): string {
  if (type.kind === 'decimal') return `decimal(${type.precision}, ${type.scale})`;
  if (type.kind === 'varchar') return `varchar(${type.length})`;
  return type.kind === 'text' && keyed ? KEYED_TEXT : COLUMN_TYPES[type.kind];
}

export function printLiteral(kind: TypeKind, value: Value): string {
  if (value === null) return `CAST(NULL AS ${CAST_TYPES[kind]})`;
  const text = printDefault(kind, value);
  if (kind === 'date') return `DATE ${text}`;
  if (kind === 'timestamp') return `TIMESTAMP ${text}`;
  // Without the parentheses, `a - -1` would open a comment if the blank were lost.
  return text.startsWith('-') ? `(${text})` : text;
}

/**
 * The constant after DEFAULT in DDL. In parentheses or with a type's name it would be an expression, which not every
 * place accepts.
 */
export function printDefault(kind: TypeKind, value: Value): string {
  if (value === null) return 'NULL';
  expectValueOf(kind, value);
  if (kind === 'boolean') return value === true ? 'TRUE' : 'FALSE';
  if (kind !== 'integer' && kind !== 'bigint' && kind !== 'decimal') return quoteText(String(value));
  if (!(kind === 'decimal' ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(String(value)))
    throw new InternalError(`literal ${JSON.stringify(value)} of type ${kind} is no plain number`);
  return String(value);
}
