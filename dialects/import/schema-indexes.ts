/**
 * Keys and indexes of a table. Those over whole columns of all rows are plain. The others have a shape, which the DBMS
 * must support (core/sql/schema.ts). An unsupported index is left out, and the report says so. An unsupported unique index
 * is refused, since it restricts the rows.
 */
import type { ColumnType, Expression, Index, IndexShape } from '../../core/sql/index.ts';
import { contentsOfExpressions } from '../../core/sql/index.ts';
import type { IndexDefinition, KeyPart } from './definition.ts';
import { refuseRows } from './initial-rows.ts';
import { refuse } from './refuse.ts';
import { columnsOf, overTable, named, type Draft, type State } from './schema-draft.ts';

/** The columns of a constraint or an index over whole columns. */
export function keyOf(names: readonly string[], table: Draft, state: State): readonly string[] {
  const columns = columnsOf(names, table, state);
  const text = state.grammar.plainTexts && table.columns.find(({ name, type }) => type.kind === 'text' && columns.includes(name));
  if (text)
    refuse(
      `the column ${text.name} of ${table.name} is TEXT and part of a key, which servers support for its first characters only: make it VARCHAR(n)`,
    );
  return columns;
}

export function addIndex(definition: IndexDefinition, table: Draft, state: State): void {
  const over = overOf(definition, table, state);
  if (over === undefined) return;
  const { columns, shape } = over;
  if (shape === undefined && definition.unique) return addUnique(columns, definition.hashed === true, table, state);
  if (definition.hashed) state.faults.approximate(NOT_HASHED);
  const lacking = shape !== undefined && !(state.grammar.indexKinds ?? []).includes(shape.kind);
  if (lacking) return leaveOut(definition, `a ${shape.kind} index, which this DBMS does not have here`, state);
  const name = indexName(definition.name, `${table.name}_${columns.join('_')}_idx`, table, state);
  state.named.addIndex(name, table);
  table.indexes.push({ name, columns, ...(shape && { shape }), ...(definition.unique && { unique: true }) });
}

export const NOT_HASHED = 'USING HASH is left out: the server makes a B-tree of this key';

export function addUnique(columns: readonly string[], hashed: boolean, table: Draft, state: State): void {
  refuseRows(columns, table);
  table.uniques.push(columns);
  if (hashed && state.grammar.hashedUniques) table.hashed = [...(table.hashed ?? []), columns];
  else if (hashed) state.faults.approximate(NOT_HASHED);
}

type Over = Pick<Index, 'columns' | 'shape'>;
type ColumnPart = Exclude<KeyPart, { expression: Expression }>;

function overOf(definition: IndexDefinition, table: Draft, state: State): Over | undefined {
  const { keys, where, using } = definition;
  const parts = keys.filter((part): part is ColumnPart => 'column' in part);
  if (parts.length < keys.length) return overExpression(definition, table, state);
  if (where !== undefined) {
    const shape: IndexShape = { kind: 'partial', where: overTable(where, table, state, 'condition') };
    return { columns: keyOf(namesOf(parts), table, state), shape };
  }
  const [only, another] = parts;
  if (using !== undefined && another === undefined) return { columns: keyOf([only!.column], table, state), shape: { kind: using } };
  if (parts.some(({ length }) => length !== undefined)) return overPrefix(definition, parts, table, state);
  const columns = keyOf(namesOf(parts), table, state);
  const falling = parts.filter(({ descending }) => descending).length;
  if (falling > 0 && falling === parts.length && !definition.unique && state.grammar.indexKinds?.includes('descending'))
    return { columns, shape: { kind: 'descending' } };
  if (falling > 0) state.faults.approximate('DESC in a key is imported as ascending: it is read in both directions');
  return { columns };
}

function namesOf(parts: readonly ColumnPart[]): readonly string[] {
  return parts.map(({ column }) => column);
}

/**
 * A key with lengths. Over one column it becomes an index of the first characters. Over several, it becomes one of the
 * whole columns, if they are short enough.
 */
function overPrefix({ unique }: IndexDefinition, parts: readonly ColumnPart[], table: Draft, state: State): Over {
  const columns = columnsOf(namesOf(parts), table, state);
  const typeOf = (column: string): ColumnType => table.columns.find(({ name }) => name === column)!.type;
  const [part, another] = parts;
  const type = typeOf(columns[0]!);
  const whole = parts.every(({ length = Infinity }, i) => {
    const each = typeOf(columns[i]!);
    return length >= (each.kind === 'varchar' ? each.length : Infinity);
  });
  if (whole) return { columns };
  if (another === undefined) {
    if (type.kind !== 'text' && type.kind !== 'varchar')
      refuse(`${columns[0]}(${part!.length}) is a key over characters of a column that has none: leave the length out`);
    return { columns, shape: { kind: 'prefix', length: part!.length! } };
  }
  if (unique) refuse('a UNIQUE key of several columns over the first characters of some: make it one of whole columns, as VARCHAR(n)');
  state.faults.approximate('lengths in a key of several columns are left out: it is over the whole columns');
  return { columns: keyOf(columns, table, state) };
}

function overExpression(definition: IndexDefinition, table: Draft, state: State): Over | undefined {
  const [only, another] = definition.keys;
  if (another !== undefined || only === undefined || 'column' in only) {
    leaveOut(definition, 'an index over several values of which one is an expression', state);
    return undefined;
  }
  const expression = overTable(only.expression, table, state, 'value');
  const where = definition.where && overTable(definition.where, table, state, 'condition');
  const columns = new Set(columnsNamed([expression, ...(where ? [where] : [])]));
  if (columns.size === 0) refuse('an index over a value that names no column');
  return { columns: [...columns], shape: { kind: 'expression', expression, ...(where && { where }) } };
}

function columnsNamed(expressions: readonly Expression[]): readonly string[] {
  return contentsOfExpressions(expressions).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : []));
}

function leaveOut({ unique, name = 'without a name' }: IndexDefinition, what: string, { faults }: State): void {
  if (unique) refuse(`${what} is not supported where it is UNIQUE: store the value in a column of its own, and make that UNIQUE`);
  faults.approximate(`the index ${name} is left out: it is ${what}`);
}

/**
 * Chooses the name of an index. If index names are unique within a table only, a name that another index, table or view
 * has gets the table's name before it. On another DBMS all of these names may have to be unique.
 */
function indexName(given: string | undefined, made: string, table: Draft, state: State): string {
  const { named: known, same, grammar } = state;
  const owner = (name: string): Draft | undefined => known.ownerOfIndex(name);
  const taken = (name: string): boolean =>
    owner(name) !== undefined || (grammar.indexNamesOfTables === true && (same(table.name, name) || known.isTableOrView(name)));
  if (given !== undefined && owner(given) !== undefined && (owner(given) === table || !grammar.indexNamesOfTables))
    refuse(`there are two indexes ${given}`);
  const base = given === undefined || !taken(given) ? named(given, made, 'index') : `${table.name}_${given}`;
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}_${n}`;
  return name;
}

/** Renames the index that has this name, for a table or a view. */
export function makeWay(taken: string, state: State): void {
  const table = state.grammar.indexNamesOfTables ? state.named.ownerOfIndex(taken) : undefined;
  if (table === undefined) return;
  const at = table.indexes.findIndex(({ name }) => state.same(name, taken));
  const name = indexName(undefined, `${table.name}_${taken}`, table, state);
  state.named.dropIndex(taken);
  state.named.addIndex(name, table);
  table.indexes[at] = { ...table.indexes[at]!, name };
}
