/** The types that a column may have, by the name that the DBMS's grammar gives them, and why the others may not. */
import type { ColumnType } from '../../core/index.ts';
import { refuse } from './refuse.ts';
import { rowOf } from './row-of.ts';

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

const REFUSED: readonly (readonly [form: RegExp, why: string])[] = [
  [/^(char|character|bpchar|nchar)$/, 'it pads with blanks, which hides what was written: use varchar'],
  [/^(float\d*|real|double.*)$/, 'its values are not exact: use numeric'],
  [/^(timestamptz|timestamp with time zone)$/, 'what it shows depends on the time zone of the session: use timestamp'],
  [/^money$/, 'what it shows depends on the locale: use numeric'],
  [/serial/, 'numbers by the server are taken for columns of a table only'],
];

/** `args`: length, or precision and scale. */
export function columnType(name: string, args: readonly number[]): ColumnType {
  const word = name.toLowerCase();
  const kind = rowOf(PLAIN, word);
  if (kind === undefined) {
    const why =
      REFUSED.find(([form]) => form.test(word))?.[1] ??
      `use one of integer, bigint, numeric(p, s), varchar(n), text, boolean, date, timestamp`;
    return refuse(`the type ${name} is not taken: ${why}`);
  }
  if (kind === 'decimal') {
    const [precision, scale = 0] = args;
    if (precision === undefined)
      refuse(`the type ${name} without a precision is not taken: write it with one and a scale, as in numeric(12, 2)`);
    return { kind, precision, scale };
  }
  if (kind === 'varchar') return args[0] === undefined ? { kind: 'text' } : { kind, length: args[0] };
  if (args.length > 0) refuse(`the type ${name}(${args.join(', ')}) is not taken: leave out what is in parentheses`);
  return { kind };
}
