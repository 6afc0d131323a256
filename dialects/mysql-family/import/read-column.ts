/** A column of CREATE TABLE: name, type, attributes. Constraints beside it are the table's. */
import type { ColumnType } from '../../../core/index.ts';
import type { ColumnDefinition, ConstraintDefinition } from '../../import/index.ts';
import { columnType, rowOf } from '../../import/index.ts';
import type { Cursor } from './cursor.ts';
import { passedOver } from './passed-over.ts';
import { readCheck } from './read-constraint.ts';
import { readOperand } from './read-expression.ts';
import type { Reading } from './reading.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function readColumn(reading: Reading): { readonly column: ColumnDefinition; readonly constraints: readonly ConstraintDefinition[] } {
  const { cursor } = reading;
  const name = cursor.name('column');
  const column: Mutable<ColumnDefinition> = { name, type: readType(cursor, name), nullable: true };
  const constraints: ConstraintDefinition[] = [];
  while (!cursor.seesAny([',', ')']) && cursor.token.kind !== 'end') {
    if (cursor.accept('NOT', 'NULL')) column.nullable = false;
    else if (cursor.accept('NULL')) column.nullable = true;
    else if (cursor.accept('DEFAULT')) column.default = readDefault(reading, name);
    else if (cursor.accept('AUTO_INCREMENT')) column.identity = true;
    else if (cursor.accept('PRIMARY', 'KEY') || cursor.accept('KEY')) constraints.push({ kind: 'primaryKey', columns: [name] });
    else if (cursor.accept('UNIQUE')) {
      cursor.accept('KEY');
      constraints.push({ kind: 'unique', columns: [name] });
    } else if (cursor.accept('CHECK')) constraints.push(readCheck(reading, undefined));
    else if (!passedOver(reading)) refuseAttribute(cursor, name);
  }
  return { column, constraints };
}

/** A literal, perhaps in parentheses, which make it an expression of the same value. No operator follows it: NOT is of NOT NULL. */
function readDefault(reading: Reading, name: string): NonNullable<ColumnDefinition['default']> {
  const { cursor } = reading;
  const value = readOperand(reading);
  if (value.kind !== 'literal') cursor.refuse(`the DEFAULT of ${name} is no literal`);
  return value;
}

const REFUSED: Readonly<Record<string, string>> = {
  UNSIGNED: 'there are no unsigned numbers here: write CHECK (column >= 0) for what it forbids',
  ZEROFILL: 'it changes how numbers are shown: leave it out',
  GENERATED: 'a generated column changes by itself: compute it in the statements',
  AS: 'a generated column changes by itself: compute it in the statements',
  ON: "ON UPDATE takes the server's clock: set the column in the statements",
  REFERENCES: 'MySQL passes over it beside a column: write FOREIGN KEY (...) REFERENCES ... as a line of its own',
  INVISIBLE: 'leave it out',
  SERIAL: 'write AUTO_INCREMENT UNIQUE',
};

function refuseAttribute(cursor: Cursor, name: string): never {
  const word = cursor.token.text.toUpperCase();
  return cursor.refuse(
    `${cursor.shown()} after the column ${name}: ${REFUSED[word] ?? 'NOT NULL, DEFAULT, AUTO_INCREMENT, PRIMARY KEY, UNIQUE, CHECK and COMMENT are imported'}`,
  );
}

/** What the family calls otherwise, or means otherwise, than the types that all servers share. */
const NAMES: Readonly<Record<string, string>> = {
  datetime: 'timestamp',
  fixed: 'decimal',
  tinyint: 'integer',
  mediumint: 'integer',
  int1: 'integer',
  int3: 'integer',
  middleint: 'integer',
};
const REFUSED_TYPES: Readonly<Record<string, string>> = {
  timestamp: 'what it shows depends on the time zone of the session, and it may change by itself: use DATETIME',
  enum: 'use VARCHAR with a CHECK',
  set: 'use VARCHAR',
  json: 'use TEXT',
  year: 'use INT',
  time: 'use INT or DATETIME',
  bit: 'use BOOLEAN or INT',
};
const WHOLE_NUMBERS = /^(tinyint|smallint|mediumint|int\d?|integer|bigint|middleint)$/;

function readType(cursor: Cursor, column: string): ColumnType {
  if (cursor.token.kind !== 'word') cursor.refuse(`${cursor.shown()} where the type of the column ${column} is expected`);
  const word = cursor.take().text.toLowerCase();
  const refused = rowOf(REFUSED_TYPES, word);
  if (refused !== undefined) cursor.refuse(`the type ${word.toUpperCase()} is not taken: ${refused}`);
  if (/blob|binary/.test(word)) cursor.refuse(`the type ${word.toUpperCase()} is not taken: there are no bytes here`);
  const args = cursor.sees('(') ? cursor.listed(() => readNumber(cursor)) : [];
  if (word === 'tinyint' && args[0] === 1) return { kind: 'boolean' };
  // The width in which a number is shown, 11 in INT(11), says nothing of its values; nor does a fraction of no digits.
  const plain = WHOLE_NUMBERS.test(word) || (word === 'datetime' && args[0] === 0) ? [] : args;
  if (word === 'varchar' && plain.length === 0) cursor.refuse('VARCHAR without a length');
  return columnType(rowOf(NAMES, word) ?? word, plain);
}

function readNumber(cursor: Cursor): number {
  if (cursor.token.kind !== 'number') cursor.refuse(`${cursor.shown()} where a number is expected`);
  return Number(cursor.take().text);
}
