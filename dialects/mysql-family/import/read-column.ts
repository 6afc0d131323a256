/** Reads a column of CREATE TABLE: name, type and attributes. Constraints beside it are the table's. */
import type { Expression } from '../../../core/sql/index.ts';
import type { ColumnDefinition, ConstraintDefinition, DeclaredType, Faults } from '../../import/index.ts';
import { columnType, enumeration, rowOf, unsigned } from '../../import/index.ts';
import type { Cursor } from './cursor.ts';
import { passedOver } from './passed-over.ts';
import { readDrawn } from './read-call.ts';
import { readCheck } from './read-constraint.ts';
import { readExpression, readOperand } from './read-expression.ts';
import type { Reading } from './reading.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Column {
  readonly column: Mutable<ColumnDefinition>;
  readonly constraints: ConstraintDefinition[];
  readonly reading: Reading;
  readonly faults: Faults;
}

export function readColumn(
  reading: Reading,
  faults: Faults,
): { readonly column: ColumnDefinition; readonly constraints: readonly ConstraintDefinition[] } {
  const { cursor } = reading;
  const at = cursor.offset;
  const name = cursor.name('column');
  const declared = readType(cursor, `the column ${name}`, faults);
  faults.approximate(declared.approximated, at);
  const { type, check } = declared;
  const column = { name, type, nullable: true, ...(check && { check: check({ kind: 'column', table: '', column: name }) }) };
  const read: Column = { column, constraints: [], reading, faults };
  while (!cursor.seesAny([',', ')']) && cursor.token.kind !== 'end') {
    const attribute = ATTRIBUTES.find(([words]) => cursor.accept(...words));
    if (attribute !== undefined) attribute[1](read);
    else if (!passedOver(reading, faults)) refuseAttribute(cursor, name);
  }
  return read;
}

const ATTRIBUTES: readonly (readonly [words: readonly string[], act: (read: Column) => void])[] = [
  [['NOT', 'NULL'], ({ column }) => (column.nullable = false)],
  [['NULL'], ({ column }) => (column.nullable = true)],
  [['DEFAULT'], readDefault],
  [['AUTO_INCREMENT'], ({ column }) => (column.identity = true)],
  [['PRIMARY', 'KEY'], ({ column, constraints }) => constraints.push({ kind: 'primaryKey', columns: [column.name] })],
  [['KEY'], ({ column, constraints }) => constraints.push({ kind: 'primaryKey', columns: [column.name] })],
  [['UNIQUE', 'KEY'], ({ column, constraints }) => constraints.push({ kind: 'unique', columns: [column.name] })],
  [['UNIQUE'], ({ column, constraints }) => constraints.push({ kind: 'unique', columns: [column.name] })],
  [['CHECK'], ({ constraints, reading, faults }) => constraints.push(...readCheck(reading, undefined, faults))],
  [['INVISIBLE'], ({ faults }) => faults.approximate('INVISIBLE is left out: SELECT * shows the column')],
  [
    ['ON', 'UPDATE'],
    ({ column, reading }) =>
      (column.drawnOnUpdate =
        readDrawn(reading.cursor) ??
        reading.cursor.refuse(
          'ON UPDATE with another value than CURRENT_TIMESTAMP is not supported: leave it out, and set the column in each statement',
        )),
  ],
  [['GENERATED', 'ALWAYS', 'AS'], readGenerated],
  [['AS'], readGenerated],
];

function readGenerated({ column, reading }: Column): void {
  const { cursor } = reading;
  cursor.expect('(');
  const expression = readExpression(reading);
  cursor.expect(')');
  const stored = cursor.accept('STORED') || cursor.accept('PERSISTENT');
  if (!stored) cursor.accept('VIRTUAL');
  column.generated = { expression, kind: stored ? 'stored' : 'virtual' };
}

/**
 * Reads a DEFAULT: a literal, or the current time, perhaps in parentheses. No operator may follow, because NOT belongs
 * to NOT NULL.
 */
function readDefault({ column, reading }: Column): void {
  const { cursor } = reading;
  const within = cursor.sees('(', 'UUID') || cursor.sees('(', 'CURRENT_TIMESTAMP') || cursor.sees('(', 'NOW');
  if (within) cursor.take();
  const drawn = readDrawn(cursor);
  if (within) cursor.expect(')');
  if (drawn !== undefined) {
    column.drawn = drawn;
    return;
  }
  const value: Expression = readOperand(reading);
  if (value.kind !== 'literal') return cursor.refuse(`the DEFAULT of ${column.name} is no literal: write its value`);
  // SHOW CREATE TABLE writes TINYINT(1) DEFAULT 1.
  const digit = column.type.kind === 'boolean' && (value.value === '0' || value.value === '1');
  column.default = digit ? { kind: 'literal', type: 'boolean', value: value.value === '1' } : value;
}

export const REFUSED: Readonly<Record<string, string>> = {
  REFERENCES: 'MySQL ignores it in the definition of a column: write FOREIGN KEY (...) REFERENCES ... as a line of its own',
  SERIAL: 'write AUTO_INCREMENT UNIQUE',
};

function refuseAttribute(cursor: Cursor, name: string): never {
  const word = cursor.token.text.toUpperCase();
  return cursor.refuse(
    `${cursor.shown()} after the column ${name}: ${REFUSED[word] ?? 'NOT NULL, DEFAULT, AUTO_INCREMENT, PRIMARY KEY, UNIQUE, CHECK and COMMENT are imported'}`,
  );
}

/** Types whose names or meanings in the family differ from those that all servers share. */
const NAMES: Readonly<Record<string, string>> = {
  datetime: 'timestamp',
  fixed: 'decimal',
  tinyint: 'integer',
  mediumint: 'integer',
  int1: 'integer',
  int3: 'integer',
  middleint: 'integer',
  year: 'integer',
};
const WHOLE_NUMBERS = /^(tinyint|smallint|mediumint|int\d?|integer|bigint|middleint|year)$/;
/** A SET's value is the names of its members, separated by commas. */
const SET_LENGTH = 255;

/** `faults` receives what of a column's type is left out. */
export function readType(cursor: Cursor, what: string, faults?: Faults): DeclaredType {
  if (cursor.token.kind !== 'word') cursor.refuse(`${cursor.shown()} where the type of ${what} is expected`);
  const at = cursor.offset;
  const word = cursor.take().text.toLowerCase();
  if (word === 'enum')
    return enumeration(
      'ENUM',
      cursor.listed(() => readText(cursor)),
    );
  if (word === 'set') {
    cursor.listed(() => readText(cursor));
    const type = { kind: 'varchar', length: SET_LENGTH } as const;
    return { type, approximated: `the type SET is imported as varchar(${SET_LENGTH}): it is one value, compared as it is written` };
  }
  const args = cursor.sees('(') ? cursor.listed(() => readNumber(cursor)) : [];
  cursor.accept('PRECISION');
  const declared = named(word, args, (reason) => cursor.refuse(reason, at));
  const positive = cursor.accept('UNSIGNED');
  const filled = cursor.accept('ZEROFILL');
  if (filled) faults?.approximate('ZEROFILL is left out: numbers are shown without zeros in front');
  return positive || filled ? unsigned(declared) : declared;
}

function named(word: string, args: readonly number[], refuse: (reason: string) => never): DeclaredType {
  if (word === 'tinyint' && args[0] === 1) return { type: { kind: 'boolean' } };
  if (word === 'bit') {
    if ((args[0] ?? 1) !== 1) refuse('the type BIT of more than one bit is not supported: use BIGINT');
    return { type: { kind: 'boolean' }, approximated: 'the type BIT is imported as boolean: it is shown as 0 and 1' };
  }
  // The display width of a number, 11 in INT(11), does not restrict its values. Nor does a fraction of no digits.
  const plain = WHOLE_NUMBERS.test(word) || (/^(datetime|timestamp)$/.test(word) && args[0] === 0) ? [] : args;
  if (word === 'varchar' && plain.length === 0) refuse('VARCHAR without a length: give it one, VARCHAR(n)');
  // The session's time zone decides how a TIMESTAMP is shown.
  if (word === 'timestamp') return columnType('timestamptz', [], word.toUpperCase());
  // The family's default is ten digits, where the standard leaves it open.
  if (/^(decimal|dec|numeric|fixed)$/.test(word) && plain.length === 0) return columnType('decimal', [10, 0]);
  return columnType(rowOf(NAMES, word) ?? word, plain, word);
}

function readNumber(cursor: Cursor): number {
  if (cursor.token.kind !== 'number') cursor.refuse(`${cursor.shown()} where a number is expected`);
  return Number(cursor.take().text);
}

function readText(cursor: Cursor): string {
  if (cursor.token.kind !== 'string') cursor.refuse(`${cursor.shown()} where a string is expected`);
  return cursor.take().text;
}
