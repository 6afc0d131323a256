/**
 * The closing audit of the tables after a run. Keys are checked on the rows that were read. No two rows without a NULL in
 * a UNIQUE or primary key may have the same key. Every value of a foreign key without a NULL must have its row. The
 * server checks indexes (IndexAudit).
 *
 * Values are compared as the server's texts. For the columns that the tool makes, with their collations, equal values
 * have equal texts. For a foreign key between columns of different kinds they may differ, so it is not checked.
 */
import type { ColumnType, ForeignKey, ResultRow, Table, Fixture, FixtureState } from '../../../core/index.ts';

/** Returns a line for each key that is broken. */
export function brokenKeys({ tables }: Fixture, state: FixtureState): readonly string[] {
  return tables.flatMap((table) => {
    const rows = state[table.name] ?? [];
    return [
      ...[table.primaryKey, ...table.uniques].flatMap((columns) => duplicates(table, columns, rows)),
      ...table.foreignKeys.flatMap((key) => orphans(table, key, tables, state)),
    ];
  });
}

function duplicates(table: Table, columns: readonly string[], rows: readonly ResultRow[]): readonly string[] {
  if (columns.length === 0) return [];
  const values = valuesOf(table, columns, rows);
  const twice = new Set(values.filter((value, i) => values.indexOf(value) !== i));
  return [...twice].map((value) => `table ${table.name}: two rows of the key (${columns.join(', ')}) ${value}`);
}

function orphans(table: Table, key: ForeignKey, tables: readonly Table[], state: FixtureState): readonly string[] {
  const parent = tables.find(({ name }) => name === key.table);
  if (parent === undefined || !key.columns.every((column, c) => alike(typeOf(table, column), typeOf(parent, key.references[c]!))))
    return [];
  const there = new Set(valuesOf(parent, key.references, state[parent.name] ?? []));
  return [...new Set(valuesOf(table, key.columns, state[table.name] ?? []))]
    .filter((value) => !there.has(value))
    .map((value) => `table ${table.name}: a row whose (${key.columns.join(', ')}) ${value} has no row in ${key.table} (${key.name})`);
}

/** Returns the values of rows without a NULL in these columns. NULLs are distinct, and refer to nothing. */
function valuesOf({ columns: all }: Table, columns: readonly string[], rows: readonly ResultRow[]): readonly string[] {
  const places = columns.map((column) => all.findIndex(({ name }) => name === column));
  return rows
    .map((row) => places.map((place) => row[place] ?? null))
    .flatMap((values) => (values.includes(null) ? [] : [JSON.stringify(values)]));
}

function typeOf({ columns }: Table, name: string): ColumnType | undefined {
  return columns.find((column) => column.name === name)?.type;
}

const ALIKE: readonly ReadonlySet<ColumnType['kind']>[] = [new Set(['integer', 'bigint']), new Set(['text', 'varchar'])];

function alike(a: ColumnType | undefined, b: ColumnType | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.kind === 'decimal' && b.kind === 'decimal') return a.scale === b.scale;
  return a.kind === b.kind || ALIKE.some((kinds) => kinds.has(a.kind) && kinds.has(b.kind));
}
