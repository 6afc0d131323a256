/**
 * Closing audit: what the tables hold after a run. Keys are asked of the rows as they were read: of a UNIQUE or primary key no
 * two rows without a NULL in it may be alike, and every value of a foreign key without a NULL has its row. Indexes are asked of the server (Arena.damage).
 * Values are compared as the server's texts: of the columns that we make, and of their collations, equal values have equal
 * texts. A foreign key between columns of different kinds need not, so it is not asked about.
 */
import type { ColumnType, ForeignKey, ResultRow, Table, Fixture, FixtureState } from '../../../core/index.ts';

/** A line for each key that is broken. */
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

/** Of rows without a NULL in these columns: NULLs are distinct, and refer to nothing. */
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
