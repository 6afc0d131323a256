/**
 * INSERT ... VALUES of a schema. Each row gets one value per column in column order, as the server would store it. Keys
 * and foreign keys are checked.
 */
import type { Column, Drawn, Expression, ForeignKey, Insert, Value } from '../../core/sql/index.ts';
import { DRAWN_TYPES, uuidOf } from '../../core/sql/index.ts';
import { columnValue } from './column-value.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import { columnsOf, tableOf, type Draft, type Orphan, type Present, type State } from './schema-draft.ts';

export function addRows(insert: Insert, state: State): void {
  const table = tableOf(insert.table, state);
  if (insert.query !== undefined || insert.conflict !== undefined || insert.returning !== undefined)
    refuse('initial rows are INSERT ... VALUES with literals only: write the rows out');
  const width = insert.rows[0]?.length ?? 0;
  const columns =
    insert.columns.length > 0 ? columnsOf(insert.columns, table, state) : table.columns.slice(0, width).map(({ name }) => name);
  if (insert.columns.length === 0 && width !== table.columns.length && !(state.grammar.shortInserts && width < table.columns.length))
    refuse(`INSERT into ${table.name} gives ${width} values and the table has ${table.columns.length} columns`);
  const computed = table.columns.find(({ name, generated }) => generated !== undefined && insert.columns.includes(name));
  if (computed !== undefined) refuse(`the column ${computed.name} is computed by the server: leave it out of INSERT`);
  const rows = insert.rows.map((row, n) => {
    if (row.length !== columns.length) refuse(`INSERT into ${table.name} gives ${row.length} values for ${columns.length} columns`);
    return table.columns.map((column) => initialValue(column, row[columns.indexOf(column.name)], table.rows.length + n + 1, state.grammar));
  });
  const identity = table.columns.find((column) => column.identity);
  const given = insert.rows.map((row) => (row[columns.indexOf(identity?.name ?? '')] ?? { kind: 'default' }).kind !== 'default');
  if (identity !== undefined && new Set([...given, state.numbered.get(table.name) ?? given[0]]).size > 1)
    refuse(
      `some initial rows of ${table.name} give the number ${identity.name} themselves and some leave it to the server, which would give it twice: do one of the two`,
    );
  refuseRepeated(table, rows, state);
  for (const key of table.foreignKeys) {
    const orphans = orphansOf(key, table, rows, state);
    if (orphans.length > 0) state.orphans.push({ key, table, rows: orphans, faults: state.faults });
  }
  if (identity !== undefined) state.numbered.set(table.name, given[0]!);
  // A loop, because a file may give more rows at once than a call takes arguments.
  for (const row of rows) table.rows.push(row);
}

type Row = readonly Value[];

/** The values of some columns. Undefined: one of them is NULL, so no key or foreign key applies. */
function valuesOf(names: readonly string[], table: Draft, row: Row): string | undefined {
  const values = names.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
  // Equal whole numbers of different types are equal keys.
  return values.includes(null) ? undefined : JSON.stringify(values.map(String));
}

function shown(values: string): string {
  return (JSON.parse(values) as readonly string[]).join(', ');
}

/** The values of the rows so far in these columns. They are kept, since a file may insert every row by its own INSERT. */
function present(names: readonly string[], table: Draft, { values }: State): Set<string> {
  const own = values.get(table.name) ?? new Map<string, Present>();
  values.set(table.name, own);
  const id = JSON.stringify(names);
  const kept = own.get(id) ?? { seen: new Set<string>(), rows: 0 };
  own.set(id, kept);
  for (; kept.rows < table.rows.length; kept.rows++) addValue(kept.seen, valuesOf(names, table, table.rows[kept.rows]!));
  return kept.seen;
}

function addValue(to: Set<string>, value: string | undefined): void {
  if (value !== undefined) to.add(value);
}

function refuseRepeated(table: Draft, rows: readonly Row[], state: State): void {
  for (const key of [table.primaryKey, ...table.uniques].filter((names) => names.length > 0)) {
    const [before, now] = [present(key, table, state), new Set<string>()];
    for (const row of rows) {
      const values = valuesOf(key, table, row);
      if (values !== undefined && (before.has(values) || now.has(values)))
        refuse(`two initial rows of ${table.name} have the same ${key.join(', ')}: ${shown(values)}`);
      addValue(now, values);
    }
  }
}

/** Checks the rows when a key is added after them. `whole`: no column of the key may be NULL. */
export function refuseRows(key: readonly string[], table: Draft, whole = false): void {
  const seen = new Set<string>();
  for (const row of table.rows) {
    const values = valuesOf(key, table, row);
    if (whole && values === undefined) refuse(`an initial row of ${table.name} has no value for its primary key, ${key.join(', ')}`);
    if (values !== undefined && seen.has(values))
      refuse(`two initial rows of ${table.name} have the same ${key.join(', ')}: ${shown(values)}`);
    addValue(seen, values);
  }
}

/** The rows whose parent row does not exist yet. */
function orphansOf(key: ForeignKey, table: Draft, rows: readonly Row[], state: State): readonly Row[] {
  const parents = present(key.references, parentOf(key, state), state);
  const own = new Set(key.table === table.name ? rows.map((row) => valuesOf(key.references, table, row)) : []);
  return rows.filter((row) => {
    const values = valuesOf(key.columns, table, row);
    return values !== undefined && !parents.has(values) && !own.has(values);
  });
}

function parentOf(key: ForeignKey, { named }: Pick<State, 'named'>): Draft {
  return named.table(key.table)!;
}

/** Runs after all rows were read. */
export function refuseOrphans({ key, table, rows }: Pick<Orphan, 'key' | 'table' | 'rows'>, state: State): void {
  const [orphan] = orphansOf(key, table, rows, state);
  if (orphan !== undefined)
    refuse(
      `an initial row of ${table.name} refers to ${shown(valuesOf(key.columns, table, orphan)!)}, which no row of ${key.table} has in ${key.references.join(', ')}`,
    );
}

/** The values of initial rows where a statement would draw one. They are the same in every run. */
const FIRST: Readonly<Record<Drawn, (row: number) => Value>> = {
  now: () => '2026-01-01 00:00:00',
  today: () => '2026-01-01',
  uuid: uuidOf,
};

/** The value of now() and similar functions in the file's data. */
export function firstMoment(drawn: Drawn): Expression {
  if (drawn === 'uuid') refuse('a uuid by the server is not supported in the data: write one, or draw it, @parameter :id uuid');
  return { kind: 'literal', type: DRAWN_TYPES[drawn], value: FIRST[drawn](1) };
}

/** The server numbers identity columns from 1 as it inserts the rows, so it would not keep other numbers. */
function initialValue(column: Column, given: Expression | undefined, number: number, grammar: Grammar): Value {
  if (column.identity) {
    const own = column.type.kind === 'bigint' ? String(number) : number;
    const value = given === undefined || given.kind === 'default' ? own : columnValue(given, column, 'an initial value', grammar);
    if (value !== own)
      refuse(
        `the column ${column.name} is numbered by the server, and its row ${number} is given ${String(value)}: number the initial rows 1, 2, 3, ..., or leave the column out`,
      );
    return own;
  }
  const value =
    given === undefined || given.kind === 'default'
      ? (column.default ?? (column.drawn === undefined ? null : FIRST[column.drawn](number)))
      : columnValue(given, column, 'an initial value', grammar);
  if (column.generated !== undefined) return null;
  if (value === null && !column.nullable) refuse(`the column ${column.name} is NOT NULL and an initial row gives it no value`);
  return value;
}
