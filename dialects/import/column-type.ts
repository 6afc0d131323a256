/**
 * The types that a column may have, by their names in the DBMS's grammar. The IR has eight types. Another type becomes
 * one of them if its values keep their text, and the report says so (core/dialect/sql-import.ts). Otherwise the importer
 * refuses the type.
 */
import type { ColumnType, Expression } from '../../core/sql/index.ts';
import { refuse } from './refuse.ts';
import { rowOf } from './row-of.ts';

export interface DeclaredType {
  readonly type: ColumnType;
  /** One sentence, if the IR's type differs from the written one. */
  readonly approximated?: string;
  /** A CHECK for what the written type forbids and the IR's type allows. */
  readonly check?: (column: Expression) => Expression;
  readonly notNull?: true;
  /** The values are timestamps with a time zone (Column.zoned). */
  readonly zoned?: true;
}

const PLAIN: Readonly<Record<string, ColumnType['kind']>> = {
  int: 'integer',
  int2: 'integer',
  int4: 'integer',
  integer: 'integer',
  smallint: 'integer',
  bigint: 'bigint',
  int8: 'bigint',
  text: 'text',
  bool: 'boolean',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  decimal: 'decimal',
  dec: 'decimal',
  numeric: 'decimal',
  varchar: 'varchar',
  'character varying': 'varchar',
};

type As = (args: readonly number[]) => ColumnType;

const TEXT: As = () => ({ kind: 'text' });
const decimal =
  (precision: number, scale: number): As =>
  () => ({ kind: 'decimal', precision, scale });
const varchar =
  (length: number): As =>
  (args) => ({ kind: 'varchar', length: args[0] ?? length });

const ZONED = /^(timestamptz|timestamp with time zone)$/;

/** Types that become another one, with the reason. */
const STANDING_IN: readonly (readonly [form: RegExp, as: As, why: string])[] = [
  [/^(char|character|bpchar|nchar)$/, varchar(1), 'it is not padded with blanks'],
  [ZONED, () => ({ kind: 'timestamp' }), 'timestamps are in UTC, to the second'],
  [/^(time|time with time zone|timetz)$/, () => ({ kind: 'varchar', length: 8 }), 'compared as HH:MM:SS is'],
  [/^uuid$/, () => ({ kind: 'varchar', length: 36 }), 'write uuids in lower case, as the server shows them'],
  [/^jsonb?$/, TEXT, 'it is one value, compared as it is written'],
  [/^(float\d*|real|double.*)$/, decimal(30, 10), 'its values are exact here'],
  [/^money$/, decimal(19, 2), 'what it shows does not depend on the locale'],
  [/^inet[46]$/, varchar(39), 'it is one value, compared as it is written'],
  [/^(bytea|inet|cidr|macaddr|xml|hstore|interval|tsvector|tsquery)$/, TEXT, 'it is one value, compared as it is written'],
  [/^(geometry|geography|point|polygon|box|circle|line|path|lseg|linestring)$|range$/, TEXT, 'it is one value, compared as it is written'],
  [/^citext$/, TEXT, 'letters of both cases are different here'],
  [/\[\]$/, TEXT, "an array is one value, written '{a,b}'"],
  [/^(tiny|medium|long)text$/, TEXT, 'it has no length of its own'],
  [/^(tiny|medium|long)?blob$/, TEXT, 'its bytes are characters here'],
  [/^(var)?binary$/, varchar(1), 'its bytes are characters here'],
];

const REFUSED: readonly (readonly [form: RegExp, why: string])[] = [[/serial/, 'only a column of a table can be numbered by the server']];

const EXPECTED = `use one of integer, bigint, numeric(p, s), varchar(n), text, boolean, date, timestamp`;

/** `args`: length, or precision and scale. `written`: the type's name in the file. */
export function columnType(name: string, args: readonly number[], written: string = name): DeclaredType {
  const word = name.toLowerCase();
  const kind = rowOf(PLAIN, word);
  if (kind === undefined) return otherType(written, word, args);
  if (kind === 'decimal') return numeric(written, args);
  if (kind === 'varchar') return { type: args[0] === undefined ? { kind: 'text' } : { kind, length: args[0] } };
  if (kind === 'timestamp' && args[0] !== undefined)
    return standIn(`${written}(${args[0]})`, { kind }, 'timestamps are in UTC, to the second');
  if (args.length > 0) refuse(`the type ${written}(${args.join(', ')}) is not supported: leave out what is in parentheses`);
  return { type: { kind } };
}

function otherType(name: string, word: string, args: readonly number[]): DeclaredType {
  const row = STANDING_IN.find(([form]) => form.test(word));
  if (row !== undefined) return { ...standIn(name, row[1](args), row[2]), ...(row[0] === ZONED && { zoned: true }) };
  return refuse(`the type ${name} is not supported: ${REFUSED.find(([form]) => form.test(word))?.[1] ?? EXPECTED}`);
}

function numeric(name: string, [precision, scale = 0]: readonly number[]): DeclaredType {
  if (precision === undefined) return standIn(name, { kind: 'decimal', precision: 30, scale: 10 }, 'it has so many digits');
  return { type: { kind: 'decimal', precision, scale } };
}

function standIn(name: string, type: ColumnType, why: string): DeclaredType {
  return { type, approximated: `the type ${name} is imported as ${spelled(type)}: ${why}` };
}

function spelled(type: ColumnType): string {
  if (type.kind === 'decimal') return `numeric(${type.precision}, ${type.scale})`;
  return type.kind === 'varchar' ? `varchar(${type.length})` : type.kind;
}

/** A text with a CHECK of the values. The values sort as texts. */
export function enumeration(name: string, values: readonly string[]): DeclaredType {
  const type: ColumnType = { kind: 'varchar', length: Math.max(1, ...values.map((value) => Array.from(value).length)) };
  return {
    ...standIn(name, type, 'with a CHECK of its values, which are ordered as texts'),
    check: (operand) => ({
      kind: 'in',
      operand,
      list: values.map((value): Expression => ({ kind: 'literal', type: 'text', value })),
      negated: false,
    }),
  };
}

/** A signed type with a CHECK >= 0. An integer becomes a bigint, which holds all its values. */
export function unsigned({ type }: DeclaredType): DeclaredType {
  const wide: ColumnType = type.kind === 'integer' ? { kind: 'bigint' } : type;
  return {
    ...standIn('UNSIGNED', wide, `with a CHECK that it is not below 0${wide.kind === 'bigint' ? ', up to 2^63 - 1' : ''}`),
    check: (left) => ({ kind: 'compare', op: '>=', left, right: { kind: 'literal', type: 'integer', value: 0 } }),
  };
}
