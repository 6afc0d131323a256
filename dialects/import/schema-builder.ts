/**
 * Definitions, one after the other, to a schema: names are looked up, constraints and indexes get names where they have
 * none, initial rows one value per column. What does not fit is refused, and the rest goes on without it.
 */
import type { Check, ForeignKey, Query, Schema, Select, Statement, View } from '../../core/index.ts';
import { columnValue } from './column-value.ts';
import type { ConstraintDefinition, Definition, IndexDefinition } from './definition.ts';
import type { Grammar } from './grammar.ts';
import { addRows } from './initial-rows.ts';
import { refuse, refuseReserved } from './refuse.ts';
import { resolveOverTable, resolveWholeQuery } from './resolve.ts';
import { columnsOf, tableOf, type Draft, type Present, type State } from './schema-draft.ts';
import { sameName } from './scope.ts';

export interface SchemaBuilder {
  /** Throws Refused, and has then changed nothing. */
  add(definition: Definition): void;
  /** Of the tables as a whole: what no single definition shows. */
  readonly schema: Schema;
}

/** `gate` throws Refused where a statement does not come back from the printer as it went in. */
export function createSchemaBuilder(grammar: Grammar, gate: (statement: Statement, schema: Schema) => void): SchemaBuilder {
  const tables: Draft[] = [];
  const views: View[] = [];
  const same = sameName(grammar.foldCase);
  const [numbered, values] = [new Map<string, boolean>(), new Map<string, Map<string, Present>>()];
  const builder: SchemaBuilder = {
    add: (definition) =>
      ADD[definition.kind](definition as never, { tables, views, numbered, values, grammar, same, gate, schema: () => builder.schema }),
    get schema() {
      return views.length > 0 ? { tables, views } : { tables };
    },
  };
  return builder;
}

const ADD: { readonly [K in Definition['kind']]: (definition: Extract<Definition, { kind: K }>, state: State) => void } = {
  table: addTable,
  constraint: ({ table, constraint }, state) => addConstraint(constraint, tableOf(table, state), state),
  index: ({ table, index, unique }, state) => addIndex(index, unique, tableOf(table, state), state),
  view: addView,
  rows: ({ insert }, state) => addRows(insert, state),
};

function addTable(definition: Extract<Definition, { kind: 'table' }>, state: State): void {
  const { name } = definition;
  refuseTaken(name, 'table', state);
  const draft: Draft = { name, columns: [], primaryKey: [], uniques: [], checks: [], foreignKeys: [], indexes: [], rows: [] };
  for (const { name: column, type, nullable, default: given, identity } of definition.columns) {
    refuseName(column, 'column');
    if (draft.columns.some((other) => state.same(other.name, column))) refuse(`the table ${name} has two columns ${column}`);
    if (identity && type.kind !== 'integer' && type.kind !== 'bigint')
      refuse(`the column ${column} is numbered by the server and of type ${type.kind}: make it an integer`);
    const value = given === undefined ? undefined : columnValue(given, { name: column, type }, 'the DEFAULT', state.grammar);
    if (state.grammar.plainTexts && type.kind === 'text' && (value ?? null) !== null)
      refuse(`the column ${column} is TEXT and has a DEFAULT, which not every server takes: make it VARCHAR(n)`);
    draft.columns.push({
      name: column,
      type,
      nullable: nullable && !identity,
      ...(value !== undefined && { default: value }),
      ...(identity && { identity: true }),
    });
  }
  if (draft.columns.length === 0) refuse(`the table ${name} has no columns`);
  // A foreign key may refer to a key of its own table.
  const order = ['primaryKey', 'unique', 'check', 'foreignKey'];
  const constraints = [...definition.constraints].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const constraint of constraints) addConstraint(constraint, draft, { ...state, tables: [...state.tables, draft] });
  for (const index of definition.indexes) addIndex(index, false, draft, state);
  makeWay(name, state);
  state.tables.push(draft);
}

function addConstraint(constraint: ConstraintDefinition, table: Draft, state: State): void {
  if (table.rows.length > 0) refuse(`the table ${table.name} has rows already: put its constraints before its first INSERT`);
  if (constraint.kind === 'check') table.checks.push(checkOf(constraint, table, state));
  else if (constraint.kind === 'foreignKey') table.foreignKeys.push(foreignKeyOf(constraint, table, state));
  else if (constraint.kind === 'unique') table.uniques.push(keyOf(constraint.columns, table, state));
  else {
    if (table.primaryKey.length > 0) refuse(`the table ${table.name} has two primary keys`);
    table.primaryKey = keyOf(constraint.columns, table, state);
    table.primaryKey.forEach((name) => {
      const at = table.columns.findIndex((column) => column.name === name);
      table.columns[at] = { ...table.columns[at]!, nullable: false };
    });
  }
}

function keyOf(names: readonly string[], table: Draft, state: State): readonly string[] {
  const columns = columnsOf(names, table, state);
  const text = state.grammar.plainTexts && table.columns.find(({ name, type }) => type.kind === 'text' && columns.includes(name));
  if (text)
    refuse(
      `the column ${text.name} of ${table.name} is TEXT and stands in a key, which servers take for its first characters only: make it VARCHAR(n)`,
    );
  return columns;
}

function checkOf({ name, expression }: Extract<ConstraintDefinition, { kind: 'check' }>, table: Draft, state: State): Check {
  const resolved = resolveOverTable(expression, table, state.grammar);
  const probe: Select = {
    kind: 'select',
    items: [{ expression: { kind: 'column', table: table.name, column: table.columns[0]!.name }, alias: table.columns[0]!.name }],
    from: { kind: 'table', table: table.name, alias: table.name },
    where: resolved,
  };
  state.gate(probe, { tables: [table] });
  return { name: named(name, `${table.name}_check_${table.checks.length + 1}`, 'constraint'), expression: resolved };
}

function foreignKeyOf(key: Extract<ConstraintDefinition, { kind: 'foreignKey' }>, table: Draft, state: State): ForeignKey {
  const place = state.tables.findIndex((each) => state.same(each.name, key.table));
  const target = state.tables[place];
  if (target === undefined) return refuse(`the foreign key refers to the table ${key.table}, which the file has not created above`);
  if (place > state.tables.findIndex((each) => each.name === table.name))
    refuse(`the foreign key of ${table.name} refers to ${target.name}, which is created after it: create ${target.name} first`);
  const columns = keyOf(key.columns, table, state);
  const references = key.references.length > 0 ? columnsOf(key.references, target, state) : target.primaryKey;
  if (references.length !== columns.length)
    refuse(
      `the foreign key of ${table.name} has ${columns.length} columns and refers to ${references.length || 'no primary key'} of ${target.name}`,
    );
  const sorted = (names: readonly string[]): string => [...names].sort().join('\0');
  if (![target.primaryKey, ...target.uniques].some((names) => sorted(names) === sorted(references)))
    refuse(`the foreign key of ${table.name} refers to ${target.name} (${references.join(', ')}), which is no primary key or UNIQUE`);
  const name = named(key.name, `${table.name}_fk_${table.foreignKeys.length + 1}`, 'constraint');
  return { name, columns, table: target.name, references, onDelete: key.onDelete, onUpdate: key.onUpdate };
}

function addIndex({ name, columns }: IndexDefinition, unique: boolean, table: Draft, state: State): void {
  const names = keyOf(columns, table, state);
  if (unique) table.uniques.push(names);
  else table.indexes.push({ name: indexName(name, `${table.name}_${names.join('_')}_idx`, table, state), columns: names });
}

/**
 * Where each table has names of its own for its indexes, those that another index, table or view has get the table's before
 * them: the schema may be made anew on a DBMS where all of these share one space of names.
 */
function indexName(given: string | undefined, made: string, table: Draft, state: State): string {
  const { tables, views, same, grammar } = state;
  const own = [table, ...tables.filter(({ name }) => name !== table.name)];
  const owner = (name: string): Draft | undefined => own.find(({ indexes }) => indexes.some((index) => same(index.name, name)));
  const taken = (name: string): boolean =>
    owner(name) !== undefined || (grammar.indexNamesOfTables === true && [...own, ...views].some((each) => same(each.name, name)));
  if (given !== undefined && owner(given) !== undefined && (owner(given) === table || !grammar.indexNamesOfTables))
    refuse(`there are two indexes ${given}`);
  const base = given === undefined || !taken(given) ? named(given, made, 'index') : `${table.name}_${given}`;
  let name = base;
  for (let n = 2; taken(name); n++) name = `${base}_${n}`;
  return name;
}

/** For a table or a view: an index of its name gets another one. */
function makeWay(taken: string, state: State): void {
  if (!state.grammar.indexNamesOfTables) return;
  for (const table of state.tables) {
    const at = table.indexes.findIndex(({ name }) => state.same(name, taken));
    if (at >= 0) table.indexes[at] = { ...table.indexes[at]!, name: indexName(undefined, `${table.name}_${taken}`, table, state) };
  }
}

function addView({ name, columns, query }: Extract<Definition, { kind: 'view' }>, state: State): void {
  refuseTaken(name, 'view', state);
  const resolved = resolveWholeQuery(query, state.schema(), state.grammar);
  if (columns !== undefined && columns.length > resolved.fields.length)
    refuse(`the view ${name} names ${columns.length} columns and its query gives ${resolved.fields.length}`);
  const written = resolved.fields.map(
    (field, i) => columns?.[i] ?? field.written ?? refuse(`the column ${i + 1} of the view ${name} has no name: give it one with AS`),
  );
  written.forEach((column, i) => {
    refuseName(column, 'column');
    if (written.findIndex((other) => state.same(other, column)) !== i)
      refuse(`the view ${name} has two columns ${column}: give one of them another name with AS`);
  });
  const renamed = rename(resolved.query, written);
  state.gate(renamed, state.schema());
  const updates = simpleTable(renamed);
  makeWay(name, state);
  state.views.push({ name, query: renamed, ...(updates !== undefined && { updates }) });
}

function rename(query: Query, names: readonly string[]): Query {
  if (query.kind === 'select') return { ...query, items: query.items.map((item, i) => ({ ...item, alias: names[i]! })) };
  if (query.kind === 'setOperation') return { ...query, left: rename(query.left, names) };
  return { ...query, arms: query.arms.map((arm, i) => (i === 0 ? (rename(arm, names) as Select) : arm)) };
}

/** The table of a simple view: some of its columns under their own names, perhaps a WHERE. */
function simpleTable(query: Query): string | undefined {
  if (query.kind !== 'select' || query.from.kind !== 'table') return undefined;
  if (query.with ?? query.distinct ?? query.groupBy ?? query.having ?? query.orderBy ?? query.limit ?? query.lock) return undefined;
  const own = query.items.every(({ expression, alias }) => expression.kind === 'column' && expression.column === alias);
  return own ? query.from.table : undefined;
}

function refuseTaken(name: string, what: string, { tables, views, same }: State): void {
  refuseName(name, what);
  if ([...tables, ...views].some((other) => same(other.name, name))) refuse(`there are two tables or views ${name}`);
}

/** A given name, else the one made up. */
function named(given: string | undefined, made: string, what: string): string {
  if (given !== undefined) refuseName(given, what);
  return given ?? made;
}

/** What the builder of DDL behind this would read as something else than a name. */
function refuseName(name: string, what: string): void {
  refuseReserved(name, what);
  if (name === '*' || /[.?]/.test(name) || / as /i.test(name))
    refuse(`the ${what} ${JSON.stringify(name)} has a dot, a question mark, a star or " as " in its name: give it another`);
}
