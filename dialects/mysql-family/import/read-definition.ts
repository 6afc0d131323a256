/**
 * The statements of a schema: CREATE TABLE, CREATE INDEX, CREATE VIEW, ALTER TABLE ... ADD of a constraint or an index, and
 * INSERT ... VALUES. The tables are made anew with InnoDB and a binary collation of utf8mb4, so what asks for those, or has no
 * effect on statements (a comment, USING BTREE), is passed over; whatever else a definition says and the IR cannot is refused.
 */
import { readInsert } from './read-write.ts';
import { readColumn } from './read-column.ts';
import { readConstraint, readKeyColumns, readIndex, seesIndex } from './read-constraint.ts';
import { passedOver } from './passed-over.ts';
import { readingOf } from './read-statement.ts';
import type { Reading } from './reading.ts';
import type { ColumnDefinition, ConstraintDefinition, Definition, IndexDefinition } from '../../import/index.ts';
import { refuse } from '../../import/index.ts';

const NO_TRIGGER = 'what it does to other rows is not seen: write its statements into the transactions';

const REFUSED: Readonly<Record<string, string>> = {
  TRIGGER: NO_TRIGGER,
  PROCEDURE: NO_TRIGGER,
  FUNCTION: NO_TRIGGER,
  EVENT: NO_TRIGGER,
  TEMPORARY: 'a table of one session takes no part in what the others see',
  DATABASE: "the tables are made anew in a database of the tool's own",
  SCHEMA: "the tables are made anew in a database of the tool's own",
  FULLTEXT: 'no statement that is imported uses such an index',
  SPATIAL: 'no statement that is imported uses such an index',
  OR: 'the schema is made anew: write CREATE VIEW',
  ALGORITHM: 'take it out',
  DEFINER: 'take it out',
  SQL: 'take it out',
  SEQUENCE: 'numbers by the server are taken for columns of a table only: AUTO_INCREMENT',
};

export function readDefinition(sql: string): readonly Definition[] {
  const reading = readingOf(sql, () => refuse('a parameter in the schema: parameters are for transactions'));
  const definitions = definitionsOf(reading);
  reading.cursor.expectEnd();
  return definitions;
}

function definitionsOf(reading: Reading): readonly Definition[] {
  const { cursor } = reading;
  if (cursor.accept('INSERT')) return [rows(reading)];
  if (cursor.accept('ALTER', 'TABLE')) return alterations(reading);
  if (!cursor.accept('CREATE'))
    cursor.refuse(`${cursor.shown()} where CREATE, ALTER TABLE or INSERT is expected: the schema is made anew of these alone`);
  if (cursor.accept('TABLE')) return [table(reading)];
  if (cursor.sees('INDEX') || cursor.sees('UNIQUE', 'INDEX')) return [index(reading)];
  if (cursor.accept('VIEW')) return [view(reading)];
  const why = REFUSED[cursor.token.text.toUpperCase()];
  return cursor.refuse(`CREATE ${cursor.token.text.toUpperCase()}: ${why ?? 'TABLE, INDEX and VIEW are imported'}`);
}

function rows(reading: Reading): Definition {
  const { statement } = readInsert(reading, false);
  return statement.kind === 'insert' ? { kind: 'rows', insert: statement } : reading.cursor.refuse('initial rows are INSERT ... VALUES');
}

function table(reading: Reading): Definition {
  const { cursor } = reading;
  cursor.accept('IF', 'NOT', 'EXISTS');
  const name = cursor.name('table');
  if (cursor.sees('.'))
    cursor.refuse(`${name}. : a table with its database; the tables are made anew in a database of the tool's own, so leave it out`);
  if (!cursor.sees('(') || cursor.seesQuery() || cursor.sees('(', 'LIKE'))
    cursor.refuse(`${cursor.shown()} after CREATE TABLE ${name}: its columns are expected, in parentheses`);
  const columns: ColumnDefinition[] = [];
  const constraints: ConstraintDefinition[] = [];
  const indexes: IndexDefinition[] = [];
  cursor.listed(() => {
    const constraint = readConstraint(reading);
    if (constraint !== undefined) return constraints.push(constraint);
    if (seesIndex(cursor)) return indexes.push(readIndex(reading));
    const read = readColumn(reading);
    constraints.push(...read.constraints);
    return columns.push(read.column);
  });
  options(reading);
  return { kind: 'table', name, columns, constraints, indexes };
}

function options(reading: Reading): void {
  const { cursor } = reading;
  while (cursor.token.kind !== 'end') {
    cursor.accept(',');
    if (cursor.sees('PARTITION')) cursor.refuse('PARTITION BY: tables are imported without partitions');
    if (cursor.sees('AS') || cursor.sees('SELECT')) cursor.refuse('CREATE TABLE ... AS SELECT: write the rows as INSERT ... VALUES');
    if (!passedOver(reading))
      cursor.refuse(
        `${cursor.shown()} after the columns of a table: ENGINE=InnoDB, CHARSET=utf8mb4, a binary COLLATE and COMMENT are passed over, and nothing else`,
      );
  }
}

function index(reading: Reading): Definition {
  const { cursor } = reading;
  const unique = cursor.accept('UNIQUE');
  cursor.expect('INDEX');
  const name = cursor.name('index');
  passedOver(reading);
  cursor.expect('ON');
  const on = cursor.name('table');
  const columns = readKeyColumns(reading);
  while (passedOver(reading));
  return { kind: 'index', table: on, index: { name, columns }, unique };
}

function view(reading: Reading): Definition {
  const { cursor } = reading;
  const name = cursor.name('view');
  const columns = cursor.sees('(') ? cursor.listed(() => cursor.name('column')) : undefined;
  cursor.expect('AS');
  const query = reading.query(reading);
  if (cursor.sees('WITH')) cursor.refuse('WITH CHECK OPTION is not imported');
  return { kind: 'view', name, ...(columns && { columns }), query };
}

function alterations(reading: Reading): readonly Definition[] {
  const { cursor } = reading;
  const name = cursor.name('table');
  return cursor.several((): Definition => {
    cursor.expect('ADD');
    const constraint = readConstraint(reading);
    if (constraint !== undefined) return { kind: 'constraint', table: name, constraint };
    if (!seesIndex(cursor))
      cursor.refuse(`${cursor.shown()} after ADD: constraints and indexes can be added; write columns into CREATE TABLE`);
    return { kind: 'index', table: name, index: readIndex(reading), unique: false };
  });
}
