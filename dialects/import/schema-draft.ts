/** A schema while definitions are added to it, and names looked up in it. */
import type { Check, Column, ForeignKey, Index, Schema, Statement, Table, Value, View } from '../../core/index.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import type { Same } from './scope.ts';

/** A table as long as definitions may still add to it. */
export interface Draft {
  readonly name: string;
  readonly columns: Column[];
  primaryKey: readonly string[];
  readonly uniques: (readonly string[])[];
  readonly checks: Check[];
  readonly foreignKeys: ForeignKey[];
  readonly indexes: Index[];
  readonly rows: (readonly Value[])[];
}

export interface State {
  readonly tables: Draft[];
  readonly views: View[];
  /** Tables with a numbered column whose initial rows give the number themselves (true), or leave it to the server. */
  readonly numbered: Map<string, boolean>;
  /** By table and columns (present()). */
  readonly values: Map<string, Map<string, Present>>;
  readonly grammar: Grammar;
  readonly same: Same;
  readonly gate: (statement: Statement, schema: Schema) => void;
  schema(): Schema;
}

/** The values that the first so many rows of a table have in some columns. */
export interface Present {
  readonly seen: Set<string>;
  rows: number;
}

export function tableOf(name: string, { tables, same }: State): Draft {
  return (
    tables.find((table) => same(table.name, name)) ??
    refuse(`there is no table ${name} above: the schema has ${tables.map((table) => table.name).join(', ') || 'none yet'}`)
  );
}

export function columnsOf(names: readonly string[], table: Pick<Table, 'name' | 'columns'>, { same }: State): readonly string[] {
  const found = names.map(
    (name) => table.columns.find((column) => same(column.name, name))?.name ?? refuse(`there is no column ${name} in ${table.name}`),
  );
  if (new Set(found).size !== found.length) refuse(`a column of ${table.name} stands twice in one key or index`);
  return found;
}
