/** Finds a column that a log's statement names in the schema. */
import type { Column, Schema, Table } from '../../../core/index.ts';
import type { Place } from './places.ts';

export interface FoundColumn {
  readonly table: Table;
  readonly column: Column;
  /** For a foreign key of one column, the column of the last table that it refers to. */
  readonly root: { readonly table: Table; readonly column: Column };
  /** The column is the whole primary key. */
  readonly isKey: boolean;
  /** The column alone distinguishes rows. */
  readonly isUnique: boolean;
}

export function columnAt(place: Place | undefined, schema: Schema | undefined): FoundColumn | undefined {
  const table = schema?.tables.find(({ name }) => isSame(name, place?.table));
  const column = table?.columns.find(({ name }) => isSame(name, place?.column));
  if (table === undefined || column === undefined) return undefined;
  const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.name;
  const isUnique = isKey || table.uniques.some((columns) => columns.length === 1 && columns[0] === column.name);
  return { table, column, root: rootOf(table, column, schema!), isKey, isUnique };
}

function rootOf(table: Table, column: Column, schema: Schema, depth = 0): FoundColumn['root'] {
  const key = table.foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
  const parent = schema.tables.find(({ name }) => name === key?.table);
  const referred = parent?.columns.find(({ name }) => name === key?.references[0]);
  // A table may refer to itself.
  return parent === undefined || referred === undefined || depth > schema.tables.length
    ? { table, column }
    : rootOf(parent, referred, schema, depth + 1);
}

function isSame(name: string, other: string | undefined): boolean {
  return other !== undefined && name.toLowerCase() === other.toLowerCase();
}
