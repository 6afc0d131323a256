/** Reads keys, CHECK and foreign keys as constraints of a table. */
import type { ReferentialAction } from '../../../core/sql/index.ts';
import type { ConstraintDefinition, Faults, IndexDefinition, KeyPart } from '../../import/index.ts';
import type { Cursor } from './cursor.ts';
import { passedOver } from './passed-over.ts';
import { readExpression } from './read-expression.ts';
import type { Reading } from './reading.ts';

/** Undefined: no constraint comes next. UNIQUE without CONSTRAINT is an index. */
export function readConstraint(reading: Reading, faults: Faults): readonly ConstraintDefinition[] | undefined {
  const { cursor } = reading;
  const named = cursor.accept('CONSTRAINT');
  const name = named && cursor.seesName() ? cursor.name('constraint') : undefined;
  if (cursor.accept('PRIMARY', 'KEY')) return [{ kind: 'primaryKey', ...readKeyColumns(reading, faults) }];
  if (named && cursor.accept('UNIQUE')) {
    if (!cursor.accept('KEY')) cursor.accept('INDEX');
    if (cursor.seesName()) cursor.name('index');
    return [{ kind: 'unique', ...readKeyColumns(reading, faults) }];
  }
  if (cursor.accept('FOREIGN', 'KEY')) return [readForeignKey(reading, name)];
  if (cursor.accept('CHECK')) return readCheck(reading, name, faults);
  return named
    ? cursor.refuse(`${cursor.shown()} after CONSTRAINT where PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK is expected`)
    : undefined;
}

/** Reads a CHECK after its keyword. Returns nothing if the CHECK is left out. */
export function readCheck(reading: Reading, name: string | undefined, faults: Faults): readonly ConstraintDefinition[] {
  const { cursor } = reading;
  // MariaDB writes this CHECK for its type JSON.
  if (cursor.acceptAround('(', 'JSON_VALID', '(', null, ')', ')') !== undefined) {
    faults.approximate('CHECK (json_valid(...)) is left out: the column is a text here, and any text is allowed');
    return [];
  }
  cursor.expect('(');
  const expression = readExpression(reading);
  cursor.expect(')');
  if (cursor.accept('NOT', 'ENFORCED')) {
    faults.approximate('CHECK ... NOT ENFORCED is left out: the server does not check it');
    return [];
  }
  cursor.accept('ENFORCED');
  return [{ kind: 'check', ...(name !== undefined && { name }), expression }];
}

function readForeignKey(reading: Reading, constraint: string | undefined): ConstraintDefinition {
  const { cursor } = reading;
  const name = cursor.seesName() ? cursor.name('index') : undefined;
  const columns = cursor.listed(() => cursor.name('column'));
  cursor.expect('REFERENCES');
  const table = cursor.name('table');
  const references = cursor.listed(() => cursor.name('column'));
  if (cursor.sees('MATCH')) cursor.refuse('MATCH is not supported: InnoDB ignores it, so leave it out');
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
  if (cursor.sees('SET', 'DEFAULT')) cursor.refuse('SET DEFAULT is not supported: InnoDB does not have it; use another action');
  const row = ACTIONS.find(([words]) => cursor.accept(...words));
  return row?.[1] ?? cursor.refuse(`${cursor.shown()} where CASCADE, SET NULL, RESTRICT or NO ACTION is expected`);
}

export function seesIndex(cursor: Cursor): boolean {
  return cursor.seesAny(['KEY', 'INDEX', 'FULLTEXT', 'SPATIAL', 'UNIQUE']);
}

/** Undefined: the index is left out, since no statement uses it. */
export function readIndex(reading: Reading, faults: Faults): IndexDefinition | undefined {
  const { cursor } = reading;
  const at = cursor.offset;
  const kind = cursor.seesAny(['FULLTEXT', 'SPATIAL', 'UNIQUE']) ? cursor.take().text.toUpperCase() : '';
  if (!cursor.accept('KEY')) cursor.accept('INDEX');
  const name = cursor.seesName() ? cursor.name('index') : undefined;
  const keys = readKeys(reading, faults);
  if (kind === '' || kind === 'UNIQUE') return { ...(name !== undefined && { name }), ...keys, unique: kind === 'UNIQUE' };
  faults.approximate(`the index ${name ?? 'without a name'} is left out: it is ${kind}, which no supported statement uses`, at);
  return undefined;
}

/** Reads the whole columns of a constraint. */
function readKeyColumns(reading: Reading, faults: Faults): Pick<IndexDefinition, 'hashed'> & { readonly columns: readonly string[] } {
  const { keys, hashed } = readKeys(reading, faults);
  const columns = keys.map((part) => {
    if (!('column' in part) || part.length !== undefined)
      return reading.cursor.refuse('a PRIMARY KEY over a prefix or an expression is not supported: make it one of whole columns');
    return part.column;
  });
  return { columns, ...(hashed && { hashed }) };
}

/** USING HASH may precede or follow the columns. */
export function readKeys(reading: Reading, faults: Faults): Pick<IndexDefinition, 'keys' | 'hashed'> {
  const { cursor } = reading;
  const before = optionsOfKey(reading, faults);
  const keys = cursor.listed((): KeyPart => {
    if (cursor.accept('(')) {
      const expression = readExpression(reading);
      cursor.expect(')');
      return { expression };
    }
    const column = cursor.name('column');
    const [length] = cursor.sees('(') ? cursor.listed(() => Number(cursor.take().text)) : [];
    const descending = cursor.accept('DESC');
    if (!descending) cursor.accept('ASC');
    return { column, ...(length !== undefined && { length }), ...(descending && { descending }) };
  });
  const behind = optionsOfKey(reading, faults);
  return { keys, ...((before || behind) && { hashed: true }) };
}

/** Returns whether USING HASH is among the options. */
export function optionsOfKey(reading: Reading, faults: Faults): boolean {
  let hashed = false;
  for (;;) {
    if (reading.cursor.accept('USING', 'HASH')) hashed = true;
    else if (!passedOver(reading, faults)) return hashed;
  }
}
