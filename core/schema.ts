/**
 * Relational schemas as plain data: what schema-gen makes, what instrument adds two columns to, and what a dialect
 * prints as DDL. Values are canonical text or JSON scalars so that a test case is the same, byte for byte, everywhere.
 */
import type { Routine } from './routine.ts';
import type { Expression, Query } from './statement.ts';
import type { Bounds, ColumnType, RangeKind, Value } from './value.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default?: Value;
  /** A user's file declares it as timestamptz. It is a timestamp here. */
  readonly zoned?: true;
  /** Numbered by the server; such columns take no part in any oracle. */
  readonly identity?: boolean;
  /** Of a user's file: a statement that gives it no value is given one that is drawn (DEFAULT now()). */
  readonly drawn?: Drawn;
  /** The same of an UPDATE that does not set it (ON UPDATE CURRENT_TIMESTAMP). */
  readonly drawnOnUpdate?: Drawn;
  /** Its value is the server's to compute (Capabilities.generated): in rows and in images it has none, or one that is ignored. It stands behind those that are given. */
  readonly generated?: Generated;
  /** Of an identity column: the initial rows have the numbers given with them, and the server goes on from this one. */
  readonly nextNumber?: number;
}

/** What a server would make anew each time, and what is a parameter here: the moment, the day, a number of chance. */
export type Drawn = 'now' | 'today' | 'uuid';

export interface Generated {
  /** Over other columns of the row; their `table` is the table's name. */
  readonly expression: Expression;
  /** Virtual: computed when it is read. */
  readonly kind: 'stored' | 'virtual';
}

/**
 * Of an index what goes beyond a B-tree over whole columns of all rows. Which of these a DBMS has is in Capabilities.indexKinds.
 * Expressions are over the index's own columns; their `table` is the table's name.
 */
export type IndexShape =
  | { readonly kind: 'descending' | 'hash' | 'brin' }
  /** Of its one column, a text, the first characters alone. */
  | { readonly kind: 'prefix'; readonly length: number }
  /** Of the rows for which it is true. */
  | { readonly kind: 'partial'; readonly where: Expression }
  /** Over this value instead of the columns; `where`: of the rows for which it is true. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly where?: Expression };
export type IndexKind = IndexShape['kind'];

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly shape?: IndexShape;
  /** With a shape: no two of the rows that it is over are equal in it. Without one it is a key of the table's `uniques`. */
  readonly unique?: true;
}

export type ReferentialAction = 'no action' | 'cascade' | 'set null' | 'set default';

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
  /** Checked at COMMIT alone (Capabilities.deferredKeys). */
  readonly deferred?: true;
}

export interface Check {
  readonly name: string;
  /** Over this table's columns; the column expressions' `table` is the table's name. */
  readonly expression: Expression;
}

/** No two rows meet in all of its parts (Capabilities.ranges). */
export interface Exclusion {
  readonly name: string;
  readonly parts: readonly ExclusionPart[];
  /** The constraint is over the rows for which it is true. */
  readonly where?: Expression;
}

/** Two rows meet in a part if their values are equal, or if their ranges overlap. The column expressions' `table` is the table's name. */
export type ExclusionPart = { readonly meets: 'equal'; readonly column: string } | { readonly meets: 'overlapping'; readonly range: Range };

export interface Range {
  readonly of: RangeKind;
  readonly bounds: Bounds;
  readonly lower: Expression;
  readonly upper: Expression;
}

export interface Partitions {
  readonly column: string;
  readonly below: number;
}

/**
 * What a trigger does with each row of its table (Capabilities.triggers), by another table. `counts`: the row has come,
 * changed or gone, and the column of every row of the other table grows by one. `notes`: the same, and what these columns of
 * the row hold, or held if it is gone, becomes a row of the other table, in columns of the same names. `looks`: the row comes
 * or changes, and to its column `adds` the sum of the other table's column is added before. `tallies`: the row comes or
 * changes, and the column of the other table's rows that satisfy the condition, or of every row, grows by one.
 */
export type Trigger =
  | { readonly does: 'counts'; readonly table: string; readonly column: string }
  | { readonly does: 'notes'; readonly table: string; readonly columns: readonly string[] }
  | {
      readonly does: 'tallies';
      readonly table: string;
      readonly column: string;
      /** Names the columns by the table. */
      readonly where?: Expression;
      /** Only the instrumenter sets it: the list of what it changes gets the last entry of the row that came or changed. */
      readonly lists?: true;
    }
  | { readonly does: 'looks'; readonly table: string; readonly column: string; readonly adds: string };

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  /** Those of `uniques` whose index is over a hash of their values and not in their order (Capabilities.hashedUniques). */
  readonly hashed?: readonly (readonly string[])[];
  readonly checks: readonly Check[];
  readonly exclusions?: readonly Exclusion[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
  /** Two partitions (Capabilities.partitions): one of the rows whose column, a part of the primary key, is below the number, one of all others. */
  readonly partitions?: Partitions;
  readonly trigger?: Trigger;
  /** Initial rows, one value per column in column order; of an identity column without a next number, and of a generated one, the value is not sent. */
  readonly rows: readonly (readonly Value[])[];
}

/** Tables in creation order: a foreign key points to the same or an earlier table. */
export interface Schema {
  readonly tables: readonly Table[];
  /** In creation order, after the tables: a view names tables and earlier views. */
  readonly views?: readonly View[];
  /** Of a user's file; made in this order, after all rows are there. */
  readonly routines?: readonly Routine[];
  /** Only the instrumenter sets it: tables whose rows, where a routine of the schema makes or changes them, get the entry of the statement that set it off (Capabilities.announces). */
  readonly followed?: readonly string[];
}

export interface View {
  readonly name: string;
  /** Its columns are the aliases of the query's items. */
  readonly query: Query;
  /**
   * The table that an UPDATE through the view changes. Present exactly for a simple view: one table, some of its columns
   * under their own names, perhaps a WHERE.
   */
  readonly updates?: string;
}
