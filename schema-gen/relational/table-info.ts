/**
 * The facts about a table that the statement generators need beside its definition: the values of its columns at the
 * start, and the columns that a write must treat with care.
 */
import type { ColumnType, ForeignKey, Table, Value, View } from '../../core/index.ts';
import type { Family } from './schema/domain.ts';

export interface ColumnInfo {
  readonly name: string;
  readonly type: ColumnType;
  readonly family: Family;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  readonly identity: boolean;
  /** The server computes it, and no statement may give it a value. */
  readonly generated: boolean;
  /** It is part of the primary key or of a UNIQUE. */
  readonly unique: boolean;
  /** A CHECK uses it. */
  readonly checked: boolean;
  readonly foreignKey: ForeignKey | undefined;
  /** The column that makes a new row's key differ from all others. */
  readonly fresh: boolean;
  /** From this value on, values belong to rows inserted later. It is undefined if new rows have none of their own. */
  readonly newFrom: Value | undefined;
  /** The small domain, ascending. */
  readonly domain: readonly Value[];
  /** Its values in the initial rows without NULL. For a foreign key these are the values it may refer to. */
  readonly seen: readonly Value[];
}

export interface TableInfo {
  readonly table: Table;
  readonly columns: readonly ColumnInfo[];
  /** Initial rows of the table each foreign key refers to, reduced to the referenced columns. */
  readonly parents: ReadonlyMap<ForeignKey, readonly (readonly Value[])[]>;
  /** Another table's or its own foreign key forbids the deletion of a referenced row. */
  readonly pinned: boolean;
}

export interface ViewInfo {
  readonly name: string;
  readonly view: View;
  readonly columns: readonly ColumnInfo[];
  /** The table that an UPDATE through the view changes. Only a simple view has one. Its key is among the columns. */
  readonly base: TableInfo | undefined;
}

/** A column as an expression may name it. */
export interface ScopeColumn {
  /** The alias in scope, which is the table's name in UPDATE, DELETE and CHECK. */
  readonly alias: string;
  readonly info: ColumnInfo;
}

export function scopeOf(info: TableInfo, alias: string): ScopeColumn[] {
  return info.columns.map((column) => ({ alias, info: column }));
}
