/** Keys, CHECK and foreign keys, as constraints of a table. */
import type { ReferentialAction } from '../../../core/index.ts';
import type { ConstraintDefinition, IndexDefinition } from '../../import/index.ts';
import type { Cursor } from './cursor.ts';
import { passedOver } from './passed-over.ts';
import { readExpression } from './read-expression.ts';
import type { Reading } from './reading.ts';

export function readConstraint(reading: Reading): ConstraintDefinition | undefined {
  const { cursor } = reading;
  const named = cursor.accept('CONSTRAINT');
  const name = named && cursor.seesName() ? cursor.name('constraint') : undefined;
  if (cursor.accept('PRIMARY', 'KEY')) return { kind: 'primaryKey', columns: readKeyColumns(reading) };
  if (cursor.accept('UNIQUE')) {
    if (!cursor.accept('KEY')) cursor.accept('INDEX');
    if (cursor.seesName()) cursor.name('index');
    return { kind: 'unique', columns: readKeyColumns(reading) };
  }
  if (cursor.accept('FOREIGN', 'KEY')) return readForeignKey(reading, name);
  if (cursor.accept('CHECK')) return readCheck(reading, name);
  return named
    ? cursor.refuse(`${cursor.shown()} after CONSTRAINT where PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK is expected`)
    : undefined;
}

/** After CHECK. */
export function readCheck(reading: Reading, name: string | undefined): ConstraintDefinition {
  const { cursor } = reading;
  cursor.expect('(');
  const expression = readExpression(reading);
  cursor.expect(')');
  if (cursor.sees('NOT', 'ENFORCED')) cursor.refuse('CHECK ... NOT ENFORCED: leave it out');
  cursor.accept('ENFORCED');
  return { kind: 'check', ...(name !== undefined && { name }), expression };
}

function readForeignKey(reading: Reading, constraint: string | undefined): ConstraintDefinition {
  const { cursor } = reading;
  const name = cursor.seesName() ? cursor.name('index') : undefined;
  const columns = cursor.listed(() => cursor.name('column'));
  cursor.expect('REFERENCES');
  const table = cursor.name('table');
  const references = cursor.listed(() => cursor.name('column'));
  if (cursor.sees('MATCH')) cursor.refuse('MATCH: InnoDB passes over it, so leave it out');
  let onDelete: ReferentialAction = 'no action';
  let onUpdate: ReferentialAction = 'no action';
  while (cursor.accept('ON')) {
    const deletes = cursor.accept('DELETE');
    if (!deletes) cursor.expect('UPDATE');
    const action = readAction(cursor);
    if (deletes) onDelete = action;
    else onUpdate = action;
  }
  const given = constraint ?? name;
  return { kind: 'foreignKey', ...(given !== undefined && { name: given }), columns, table, references, onDelete, onUpdate };
}

/** InnoDB checks RESTRICT and NO ACTION alike. */
const ACTIONS: readonly (readonly [readonly string[], ReferentialAction])[] = [
  [['CASCADE'], 'cascade'],
  [['SET', 'NULL'], 'set null'],
  [['NO', 'ACTION'], 'no action'],
  [['RESTRICT'], 'no action'],
];

function readAction(cursor: Cursor): ReferentialAction {
  if (cursor.sees('SET', 'DEFAULT')) cursor.refuse('SET DEFAULT: InnoDB does not have it');
  const row = ACTIONS.find(([words]) => cursor.accept(...words));
  return row?.[1] ?? cursor.refuse(`${cursor.shown()} where CASCADE, SET NULL, RESTRICT or NO ACTION is expected`);
}

export function seesIndex(cursor: Cursor): boolean {
  if (cursor.seesAny(['FULLTEXT', 'SPATIAL']))
    cursor.refuse(`${cursor.token.text.toUpperCase()}: no statement that is imported uses such an index`);
  return cursor.seesAny(['KEY', 'INDEX']);
}

export function readIndex(reading: Reading): IndexDefinition {
  const { cursor } = reading;
  cursor.take();
  const name = cursor.seesName() ? cursor.name('index') : undefined;
  return { ...(name !== undefined && { name }), columns: readKeyColumns(reading) };
}

export function readKeyColumns(reading: Reading): readonly string[] {
  const { cursor } = reading;
  while (passedOver(reading));
  const columns = cursor.listed(() => {
    if (cursor.sees('(')) cursor.refuse('a key over an expression: keys are over columns');
    const name = cursor.name('column');
    if (cursor.sees('(')) cursor.refuse(`${name}(n): a key over the first characters of a column is not imported`);
    if (cursor.sees('DESC')) cursor.refuse(`${name} DESC in a key: keys are imported in ascending order`);
    cursor.accept('ASC');
    return name;
  });
  while (passedOver(reading));
  return columns;
}
