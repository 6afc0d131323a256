/**
 * Builds a schema from definitions. It looks up names, names unnamed constraints and indexes, and completes initial
 * rows to one value per column. A definition that does not fit is refused, and the rest continues without it.
 */
import { contentsOf } from '../../core/sql/index.ts';
import type { Check, Column, Drawn, Expression, Query, Routine, Schema, Select, Statement, TypeKind, View } from '../../core/sql/index.ts';
import { columnValue } from './column-value.ts';
import type { ColumnDefinition, ConstraintDefinition, Definition } from './definition.ts';
import type { Faults } from './faults.ts';
import type { Grammar } from './grammar.ts';
import { addRows, refuseRows } from './initial-rows.ts';
import { Links } from './links.ts';
import { refuse, refuseTable } from './refuse.ts';
import { resolveWholeQuery } from './resolve.ts';
import {
  columnsOf,
  named,
  overTable,
  refuseName,
  tableOf,
  type Awaited,
  type Draft,
  type Orphan,
  type Present,
  type State,
} from './schema-draft.ts';
import { addExclusion } from './schema-exclusions.ts';
import { NOT_HASHED, addIndex, addUnique, keyOf, makeWay } from './schema-indexes.ts';
import { addForeignKey, inReferenceOrder, meetAwaited, refuseAwaited } from './schema-references.ts';
import { SchemaNames } from './schema-names.ts';
import { sameName } from './scope.ts';

export interface SchemaBuilder {
  /** Throws Refused, and then has changed nothing. Refusals of a table's parts go to the faults. */
  add(definition: Definition, faults: Faults): void;
  /** Runs after the last definition. A missing table or row goes to the faults of the statement that refers to it. */
  finish(): void;
  /** A table precedes those that refer to it. */
  readonly schema: Schema;
}

/** `grammar` returns the current one. `gate` throws Refused if a statement changes when it is printed and read again. */
export function createSchemaBuilder(grammar: () => Grammar, gate: (statement: Statement, schema: Schema) => void): SchemaBuilder {
  const tables: Draft[] = [];
  const views: View[] = [];
  const routines: State['routines'] = [];
  const same = sameName(grammar().foldCase);
  const [numbered, values] = [new Map<string, boolean>(), new Map<string, Map<string, Present>>()];
  const [awaited, orphans]: [Awaited[], Orphan[]] = [[], []];
  const links = new Links<Draft>();
  const known = new SchemaNames<Draft>(grammar().foldCase);
  const shared = { tables, views, routines, numbered, values, awaited, orphans, links, named: known, same, gate };
  const builder: SchemaBuilder = {
    add: (definition, faults) => ADD[definition.kind](definition as never, { ...shared, grammar: grammar(), faults }),
    finish: () => {
      const state = { ...shared, grammar: grammar() };
      refuseAwaited(state);
      for (const { routine, faults } of routines) faults.collect(() => checkNames(routine, state));
    },
    get schema() {
      const made = routines.map(({ routine }) => ({
        ...routine,
        reads: [...new Set(routine.reads.flatMap((name) => tablesBehind(name, views)))],
      }));
      return { tables: inReferenceOrder(tables), ...(views.length > 0 && { views }), ...(made.length > 0 && { routines: made }) };
    },
  };
  return builder;
}

const ADD: { readonly [K in Definition['kind']]: (definition: Extract<Definition, { kind: K }>, state: State) => void } = {
  table: addTable,
  column: changeColumn,
  constraint: ({ table, constraint }, state) => addConstraint(constraint, tableOf(table, state), state),
  index: ({ table, index }, state) => addIndex(index, tableOf(table, state), state),
  view: addView,
  routine: addRoutine,
  rows: ({ insert }, state) => addRows(insert, state),
};

/** Adds the table with the parts that could be read. Later statements are then not refused for missing parts. */
function addTable(definition: Extract<Definition, { kind: 'table' }>, state: State): void {
  const { name } = definition;
  const { faults } = state;
  refuseTaken(name, 'table', state);
  const draft: Draft = { name, columns: [], primaryKey: [], uniques: [], checks: [], foreignKeys: [], indexes: [], rows: [] };
  // A generated column uses the others, so it is moved behind them.
  const [given, generated] = [false, true].map((wanted) =>
    definition.columns.filter((column) => (column.generated !== undefined) === wanted),
  );
  if (generated!.length > 0 && definition.columns.slice(given!.length).some((column) => column.generated === undefined))
    faults.approximate(`generated columns of ${name} are moved behind the others: SELECT * shows them last`);
  for (const column of [...given!, ...generated!]) {
    refuseName(column.name, 'column');
    if (draft.columns.some((other) => state.same(other.name, column.name))) refuse(`the table ${name} has two columns ${column.name}`);
    draft.columns.push(
      faults.collect(() => columnOf(column, draft, state), column.place) ?? { name: column.name, type: column.type, nullable: true },
    );
  }
  if (draft.columns.length === 0 && faults.refused.length > 0) return;
  if (draft.columns.length === 0) refuse(`the table ${name} has no columns`);
  // A foreign key may refer to a key of its own table.
  const order = ['primaryKey', 'unique', 'check', 'exclusion', 'foreignKey'];
  const constraints = [...definition.constraints].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const constraint of constraints) faults.collect(() => addConstraint(constraint, draft, state), constraint.place);
  for (const index of definition.indexes) faults.collect(() => addIndex(index, draft, state), index.place);
  for (const { name: column, check, place } of definition.columns)
    if (check !== undefined) faults.collect(() => addTypeCheck(column, check, draft, state), place);
  makeWay(name, state);
  state.tables.push(draft);
  state.named.addTable(draft);
  meetAwaited(draft, state);
}

/** ALTER COLUMN, which dumps use for a column's properties beside its type. */
function changeColumn({ table: name, column, now }: Extract<Definition, { kind: 'column' }>, state: State): void {
  const table = tableOf(name, state);
  const [own] = columnsOf([column], table, state);
  const at = table.columns.findIndex((each) => each.name === own);
  const { type, nullable, zoned } = table.columns[at]!;
  if (table.rows.length > 0) refuse(`the table ${table.name} has rows already: put what changes its columns before its first INSERT`);
  table.columns[at] = { ...table.columns[at]!, ...columnOf({ name: own!, type, nullable, ...(zoned && { zoned }), ...now }, table, state) };
}

function columnOf(definition: ColumnDefinition, table: Draft, state: State): Column {
  const { name, type, nullable, zoned, default: given, identity, generated, drawn, drawnOnUpdate } = definition;
  if (identity && type.kind !== 'integer' && type.kind !== 'bigint')
    refuse(`the column ${name} is numbered by the server and of type ${type.kind}: make it an integer`);
  const value = given === undefined ? undefined : columnValue(given, { name, type }, 'the DEFAULT', state.grammar);
  const wrong = [drawn, drawnOnUpdate].find((each) => each !== undefined && !HOLDS[each].includes(type.kind));
  if (wrong !== undefined) refuse(`the DEFAULT or ON UPDATE of the column ${name} is no value of the type ${type.kind}`);
  if (state.grammar.plainTexts && type.kind === 'text' && (value ?? null) !== null)
    refuse(`the column ${name} is TEXT and has a DEFAULT, which not every server takes: make it VARCHAR(n)`);
  if (generated !== undefined && !(state.grammar.generated ?? []).includes(generated.kind))
    refuse(
      `the generated column ${name} is ${generated.kind}, which this DBMS does not have here: set an ordinary column in each statement`,
    );
  return {
    name,
    type,
    nullable: nullable && !identity,
    ...(zoned && { zoned }),
    ...(value !== undefined && { default: value }),
    ...(identity && { identity: true }),
    ...(drawn && { drawn }),
    ...(drawnOnUpdate && { drawnOnUpdate }),
    ...(generated && { generated: { ...generated, expression: overTable(generated.expression, table, state, 'value') } }),
  };
}

/** The types that can hold each drawn value. */
const HOLDS: Readonly<Record<Drawn, readonly TypeKind[]>> = {
  now: ['timestamp', 'date', 'text', 'varchar'],
  today: ['date', 'timestamp', 'text', 'varchar'],
  uuid: ['varchar', 'text'],
};

/** Its names are checked at the end (checkNames), as they may be defined later. */
function addRoutine({ routine }: Extract<Definition, { kind: 'routine' }>, { routines, same, faults }: State): void {
  const isSame = (other: Routine): boolean => same(other.name, routine.name) && scopeOf(other) === scopeOf(routine);
  if (routines.some((other) => isSame(other.routine)))
    refuse(`there is a ${routine.kind} ${routine.name} already: give each a name of its own`);
  routines.push({ routine, faults });
}

/** The table, or for a view the tables that it reads. */
function tablesBehind(name: string, views: readonly View[]): readonly string[] {
  const view = views.find((each) => each.name === name);
  if (view === undefined) return [name];
  return contentsOf(view.query).leaves.flatMap((leaf) =>
    leaf.kind === 'table' ? [leaf.table] : leaf.kind === 'view' ? tablesBehind(leaf.view, views) : [],
  );
}

function checkNames(routine: Routine, { tables, views, routines }: Pick<State, 'tables' | 'views' | 'routines'>): void {
  const has = (list: readonly { readonly name: string }[], name: string): boolean => list.some((each) => each.name === name);
  const of = `the ${routine.kind} ${routine.name}`;
  for (const name of routine.kind === 'trigger' ? [...routine.writes, routine.table] : routine.writes) {
    if (has(views, name)) refuse(`${of} is on the view ${name}, or writes to it: name the table`);
    if (!has(tables, name)) refuseTable(name, `: ${of} names it`);
  }
  for (const name of routine.reads) if (!has(tables, name) && !has(views, name)) refuseTable(name, `: ${of} reads it`);
  for (const name of routine.calls)
    if (!routines.some((each) => each.routine.kind === 'function' && each.routine.name === name))
      refuse(
        `the call of ${name}() is not supported: ${of} makes it, and it is neither a function of the file nor a supported built-in function`,
        { code: 'no-routine', name },
      );
}

/**
 * Trigger names are unique within a table in PostgreSQL. In MySQL they are unique in the database, and the server
 * checks that.
 */
function scopeOf(routine: Routine): string {
  return routine.kind === 'trigger' ? `trigger ${routine.table}` : routine.kind;
}

/** Generated and identity columns and those of foreign keys get no such CHECK, because MySQL refuses it there. */
function addTypeCheck(name: string, check: Expression, table: Draft, state: State): void {
  const column = table.columns.find((each) => each.name === name);
  if (column === undefined || column.identity || column.generated || table.foreignKeys.some(({ columns }) => columns.includes(name)))
    return;
  table.checks.push({ name: `${table.name}_${name}_values`, expression: overTable(check, table, state, 'condition') });
}

function addConstraint(constraint: ConstraintDefinition, table: Draft, state: State): void {
  if (constraint.kind === 'check') table.checks.push(checkOf(constraint, table, state));
  else if (constraint.kind === 'exclusion') addExclusion(constraint, table, state);
  else if (constraint.kind === 'foreignKey') addForeignKey(constraint, table, state);
  else if (constraint.kind === 'unique') {
    addUnique(keyOf(constraint.columns, table, state), constraint.hashed === true, table, state);
  } else {
    if (constraint.hashed) state.faults.approximate(NOT_HASHED);
    if (table.primaryKey.length > 0) refuse(`the table ${table.name} has two primary keys`);
    const key = keyOf(constraint.columns, table, state);
    refuseRows(key, table, true);
    table.primaryKey = key;
    table.primaryKey.forEach((name) => {
      const at = table.columns.findIndex((column) => column.name === name);
      table.columns[at] = { ...table.columns[at]!, nullable: false };
    });
  }
}

function checkOf({ name, expression }: Extract<ConstraintDefinition, { kind: 'check' }>, table: Draft, state: State): Check {
  const resolved = overTable(expression, table, state, 'condition');
  return { name: named(name, `${table.name}_check_${table.checks.length + 1}`, 'constraint'), expression: resolved };
}

function addView({ name, columns, query }: Extract<Definition, { kind: 'view' }>, state: State): void {
  refuseTaken(name, 'view', state);
  // Calls of functions are followed in statements, not in views.
  const known: Schema = { tables: state.tables, views: state.views };
  const resolved = resolveWholeQuery(query, known, state.grammar);
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
  state.gate(renamed, known);
  const updates = simpleTable(renamed);
  makeWay(name, state);
  state.views.push({ name, query: renamed, ...(updates !== undefined && { updates }) });
  state.named.addView(name);
}

function rename(query: Query, names: readonly string[]): Query {
  if (query.kind === 'select') return { ...query, items: query.items.map((item, i) => ({ ...item, alias: names[i]! })) };
  if (query.kind === 'setOperation') return { ...query, left: rename(query.left, names) };
  return { ...query, arms: query.arms.map((arm, i) => (i === 0 ? (rename(arm, names) as Select) : arm)) };
}

/** The table of a simple view: some of its columns under their own names, and perhaps a WHERE. */
function simpleTable(query: Query): string | undefined {
  if (query.kind !== 'select' || query.from.kind !== 'table') return undefined;
  if (query.with ?? query.distinct ?? query.groupBy ?? query.having ?? query.orderBy ?? query.limit ?? query.lock) return undefined;
  const own = query.items.every(({ expression, alias }) => expression.kind === 'column' && expression.column === alias);
  return own ? query.from.table : undefined;
}

function refuseTaken(name: string, what: string, { named }: State): void {
  refuseName(name, what);
  if (named.isTableOrView(name)) refuse(`there are two tables or views ${name}`);
}
