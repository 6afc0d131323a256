/**
 * Reads the statements of a schema: CREATE TABLE, CREATE INDEX, CREATE VIEW, ALTER TABLE ... ADD of a constraint or an
 * index, INSERT ... VALUES, and triggers and functions (read-routine.ts). The tool creates the tables with InnoDB and a
 * binary collation of utf8mb4. A clause that asks for the same, or has no effect on statements (a comment, USING
 * BTREE), is ignored. A clause that asks for something else is left out, and the report says so. Anything else that the
 * IR cannot hold is refused.
 */
import type { Routine } from '../../../core/sql/index.ts';
import type { FileNames } from './read-body.ts';
import { readRoutine, routineIn } from './read-routine.ts';
import { readInsert } from './read-write.ts';
import { readColumn } from './read-column.ts';
import { readConstraint, readIndex, optionsOfKey, readKeys, seesIndex } from './read-constraint.ts';
import { withoutOwners, withoutVersions, type VersionComments } from './dump-words.ts';
import { passedOver } from './passed-over.ts';
import { readingOf } from './read-statement.ts';
import type { Reading } from './reading.ts';
import type { ColumnDefinition, ConstraintDefinition, Definition, Faults, IndexDefinition } from '../../import/index.ts';
import { firstMoment, refuse } from '../../import/index.ts';

const NOT_CALLED = 'it is not supported: write its statements into the transactions';

export const REFUSED: Readonly<Record<string, string>> = {
  PROCEDURE: NOT_CALLED,
  EVENT: NOT_CALLED,
  TEMPORARY: 'only its own session sees such a table: leave TEMPORARY out',
  OR: 'the tool creates the schema in an empty database: write CREATE VIEW',
  SEQUENCE: 'only a column of a table can be numbered by the server: use AUTO_INCREMENT',
};

/** `names`: the objects that the file creates. Undefined: the server has no triggers and functions. */
export function readDefinition(sql: string, faults: Faults, comments: VersionComments, names?: FileNames): readonly Definition[] {
  const plain = withoutOwners(withoutVersions(sql, comments), faults);
  const passed = PASSED_OVER.exec(plain)?.[1];
  if (passed !== undefined)
    faults.approximate(`${passed.toUpperCase().replaceAll(/\s+/g, ' ')} is ignored: the tool creates a schema of its own`);
  if (passed !== undefined || NOTHING.test(plain)) return [];
  const made = routineIn(plain);
  if (made !== undefined) return routine(plain, made, faults, names);
  const parameter = (): never =>
    refuse('a parameter in the schema is not supported: write a literal, since parameters are for transactions');
  const reading = readingOf(plain, parameter, firstMoment, names?.functions);
  const definitions = definitionsOf(reading, faults);
  reading.cursor.expectEnd();
  return definitions;
}

/** Statements without an effect on a schema that is created anew. */
const PASSED_OVER = new RegExp(
  String.raw`^(?:\s|/\*(?![!+])[\s\S]*?\*/|--[^\n]*)*(SET|USE|DROP|UNLOCK\s+TABLES?|LOCK\s+TABLES?|CREATE\s+(?:DATABASE|SCHEMA))\b`,
  'i',
);

/** The text is only blanks and comments, or a dump's placeholder for a view that comes later. */
const NOTHING = /^(?:\s|--[^\n]*)*$|^\s*CREATE\s+VIEW\s+`[^`]+`\s+AS\s+SELECT(?:\s+1\s+AS\s+`[^`]+`\s*,?)+\s*$/i;

function routine(sql: string, kind: Routine['kind'], faults: Faults, names: FileNames | undefined): readonly Definition[] {
  if (names === undefined) return refuse(`CREATE ${kind.toUpperCase()} is not supported: the server has no triggers and functions`);
  const read = readRoutine(sql, kind, names, faults);
  return faults.refused.length > 0 ? [] : [{ kind: 'routine', routine: read }];
}

function definitionsOf(reading: Reading, faults: Faults): readonly Definition[] {
  const { cursor } = reading;
  if (cursor.accept('INSERT')) return [rows(reading)];
  if (cursor.accept('ALTER', 'TABLE')) return alterations(reading, faults);
  if (!cursor.accept('CREATE'))
    cursor.refuse(`${cursor.shown()} where CREATE, ALTER TABLE or INSERT is expected: the tool creates the schema from these alone`);
  if (cursor.accept('TABLE')) return [table(reading, faults)];
  if (cursor.seesAny(['INDEX', 'UNIQUE', 'FULLTEXT', 'SPATIAL'])) return index(reading, faults);
  if (cursor.accept('VIEW')) return [view(reading)];
  const why = REFUSED[cursor.token.text.toUpperCase()];
  return cursor.refuse(`CREATE ${cursor.token.text.toUpperCase()}: ${why ?? 'TABLE, INDEX, VIEW, TRIGGER and FUNCTION are imported'}`);
}

function rows(reading: Reading): Definition {
  const { statement } = readInsert(reading, false);
  return statement.kind === 'insert' ? { kind: 'rows', insert: statement } : reading.cursor.refuse('initial rows are INSERT ... VALUES');
}

function table(reading: Reading, faults: Faults): Definition {
  const { cursor } = reading;
  cursor.accept('IF', 'NOT', 'EXISTS');
  const name = cursor.name('table');
  if (cursor.sees('.'))
    cursor.refuse(`${name}. names the database of a table: the tool creates the tables in a database of its own, so leave the name out`);
  if (!cursor.sees('(') || cursor.seesQuery() || cursor.sees('(', 'LIKE'))
    cursor.refuse(`${cursor.shown()} after CREATE TABLE ${name}: its columns are expected, in parentheses`);
  const columns: ColumnDefinition[] = [];
  const constraints: ConstraintDefinition[] = [];
  const indexes: IndexDefinition[] = [];
  cursor.listed(() => {
    const at = cursor.token;
    const place = at.start;
    const starts = { constraint: cursor.seesAny(['CONSTRAINT', 'PRIMARY', 'FOREIGN', 'CHECK']), index: seesIndex(cursor) };
    const read = cursor.element(() => {
      const constraint = readConstraint(reading, faults);
      if (constraint !== undefined) constraints.push(...constraint.map((each) => ({ ...each, place })));
      else if (starts.index)
        indexes.push(...[readIndex(reading, faults)].flatMap((each) => (each === undefined ? [] : [{ ...each, place }])));
      else {
        const one = readColumn(reading, faults);
        constraints.push(...one.constraints.map((each) => ({ ...each, place })));
        columns.push({ ...one.column, place });
      }
      return true;
    }, faults);
    // A refused column keeps its name, so that statements which name it are not refused too.
    if (read === undefined && !starts.constraint && !starts.index)
      columns.push({ name: at.text, type: { kind: 'varchar', length: 255 }, nullable: true });
  });
  options(reading, faults);
  return { kind: 'table', name, columns, constraints, indexes };
}

function options(reading: Reading, faults: Faults): void {
  const { cursor } = reading;
  while (cursor.token.kind !== 'end') {
    cursor.accept(',');
    if (cursor.sees('PARTITION')) cursor.refuse('PARTITION BY is not supported: create the table without partitions');
    if (cursor.sees('AS') || cursor.sees('SELECT'))
      cursor.refuse('CREATE TABLE ... AS SELECT is not supported: write the rows as INSERT ... VALUES');
    if (!passedOver(reading, faults)) cursor.refuse(`${cursor.shown()} after the columns of a table: leave it out`);
  }
}

function index(reading: Reading, faults: Faults): readonly Definition[] {
  const { cursor } = reading;
  const kind = cursor.sees('INDEX') ? '' : cursor.take().text.toUpperCase();
  cursor.expect('INDEX');
  const name = cursor.name('index');
  const hashed = optionsOfKey(reading, faults);
  cursor.expect('ON');
  const on = cursor.name('table');
  const keys = readKeys(reading, faults);
  const unique = kind === 'UNIQUE';
  if (kind === '' || unique) return [{ kind: 'index', table: on, index: { name, ...keys, ...(hashed && { hashed }), unique } }];
  faults.approximate(`the index ${name} is left out: it is ${kind}, which no supported statement uses`);
  return [];
}

function view(reading: Reading): Definition {
  const { cursor } = reading;
  const name = cursor.name('view');
  const columns = cursor.sees('(') ? cursor.listed(() => cursor.name('column')) : undefined;
  cursor.expect('AS');
  const query = reading.query(reading);
  if (cursor.sees('WITH'))
    cursor.refuse(
      'WITH CHECK OPTION is not supported: leave it out, and write the condition into the statements that write through the view',
    );
  return { kind: 'view', name, ...(columns && { columns }), query };
}

function alterations(reading: Reading, faults: Faults): readonly Definition[] {
  const { cursor } = reading;
  const name = cursor.name('table');
  return cursor
    .several((): readonly Definition[] => {
      if (cursor.accept('DISABLE', 'KEYS') || cursor.accept('ENABLE', 'KEYS')) return [];
      if (!cursor.accept('ADD')) cursor.refuse(`${cursor.shown()} where ADD is expected: write the rest into CREATE TABLE`);
      const constraint = readConstraint(reading, faults);
      if (constraint !== undefined) return constraint.map((each) => ({ kind: 'constraint', table: name, constraint: each }));
      if (!seesIndex(cursor))
        cursor.refuse(`${cursor.shown()} after ADD: constraints and indexes can be added; write columns into CREATE TABLE`);
      const added = readIndex(reading, faults);
      return added === undefined ? [] : [{ kind: 'index', table: name, index: added }];
    })
    .flat();
}
