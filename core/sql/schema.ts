/**
 * Relational schemas as plain data. schema-gen makes them, instrument adds two columns to each table, and a dialect
 * prints them as DDL. Values are canonical text or JSON scalars, so that a test case has the same bytes everywhere.
 */
import type { Routine } from './routine.ts';
import type { Expression, Query } from './statement.ts';
import type { Bounds, ColumnType, RangeKind, Value } from './value.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default?: Value;
  /** The user's file declares it as timestamptz. It is a timestamp here. */
  readonly zoned?: true;
  /** An identity column. The server numbers it, so no oracle compares its values. */
  readonly identity?: boolean;
  /** In a user's file: the value that a statement without one gets (DEFAULT now()). */
  readonly drawn?: Drawn;
  /** In a user's file: the value that an UPDATE gives it without setting it (ON UPDATE CURRENT_TIMESTAMP). */
  readonly drawnOnUpdate?: Drawn;
  /**
   * The server computes its value (Capabilities.generated). Rows and images hold no value for it, or one that is
   * ignored. It stands after the other columns.
   */
  readonly generated?: Generated;
  /** For an identity column: the initial rows have explicit numbers, and the server continues with this one. */
  readonly nextNumber?: number;
}

/** Values that a server draws anew each time and that are parameters here: the current time, the current date, a random uuid. */
export type Drawn = 'now' | 'today' | 'uuid';

export interface Generated {
  /** The expression over other columns of the row. Their `table` is the table's name. */
  readonly expression: Expression;
  /** `virtual`: computed when it is read. */
  readonly kind: 'stored' | 'virtual';
}

/**
 * The properties of an index beyond a B-tree over whole columns of all rows. Capabilities.indexKinds lists those that a
 * DBMS has. Expressions use the index's own columns, and their `table` is the table's name.
 */
export type IndexShape =
  | { readonly kind: 'descending' | 'hash' | 'brin' }
  /** The first `length` characters of its one column, a text. */
  | { readonly kind: 'prefix'; readonly length: number }
  /** Only the rows for which `where` is true. */
  | { readonly kind: 'partial'; readonly where: Expression }
  /** This value instead of the columns. With `where`: only the rows for which it is true. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly where?: Expression };
export type IndexKind = IndexShape['kind'];

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly shape?: IndexShape;
  /** With a shape: no two rows of the index are equal in it. Without a shape, the index is a key of the table's `uniques`. */
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
  /** The key is checked only at COMMIT (Capabilities.deferredKeys). */
  readonly deferred?: true;
}

export interface Check {
  readonly name: string;
  /** The condition over this table's columns. Their `table` is the table's name. */
  readonly expression: Expression;
}

/** An exclusion constraint: no two rows meet in all of its parts (Capabilities.ranges). */
export interface Exclusion {
  readonly name: string;
  readonly parts: readonly ExclusionPart[];
  /** The constraint covers only the rows for which this is true. */
  readonly where?: Expression;
}

/**
 * Two rows meet in a part if their values are equal, or if their ranges overlap. The `table` of column expressions is
 * the table's name.
 */
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
 * The action of a trigger for each row of its table (Capabilities.triggers), which uses another table.
 * - `counts`: after INSERT, UPDATE or DELETE, it adds one to the column in every row of the other table.
 * - `notes`: after these it inserts these columns' values into the other table, those of the new row, or of the old row
 *   after DELETE. The columns have the same names.
 * - `looks`: before INSERT or UPDATE, it adds the sum of the other table's column to the row's column `adds`.
 * - `tallies`: on INSERT or UPDATE, it adds one to the column in the other table's rows that satisfy the condition, or in all.
 */
export type Trigger =
  | { readonly does: 'counts'; readonly table: string; readonly column: string }
  | { readonly does: 'notes'; readonly table: string; readonly columns: readonly string[] }
  | {
      readonly does: 'tallies';
      readonly table: string;
      readonly column: string;
      /** The condition. Its columns are named by the table. */
      readonly where?: Expression;
      /** Only the instrumenter sets it: the write list of each changed row gets the last entry of the new row. */
      readonly lists?: true;
    }
  | { readonly does: 'looks'; readonly table: string; readonly column: string; readonly adds: string };

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  /** Those of `uniques` whose index is over a hash of their values (Capabilities.hashedUniques). */
  readonly hashed?: readonly (readonly string[])[];
  readonly checks: readonly Check[];
  readonly exclusions?: readonly Exclusion[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly indexes: readonly Index[];
  /**
   * Two partitions (Capabilities.partitions). One holds the rows whose column is below the number, the other one all
   * other rows. The column is a part of the primary key.
   */
  readonly partitions?: Partitions;
  readonly trigger?: Trigger;
  /**
   * Initial rows, with one value for each column in column order. Values of generated columns are not sent, nor those
   * of identity columns without `nextNumber`.
   */
  readonly rows: readonly (readonly Value[])[];
}

/** Tables in creation order: a foreign key refers to the same or an earlier table. */
export interface Schema {
  readonly tables: readonly Table[];
  /** Views in creation order, after the tables: a view names tables and earlier views. */
  readonly views?: readonly View[];
  /** Routines of a user's file. They are created in this order, after all rows were inserted. */
  readonly routines?: readonly Routine[];
  /**
   * Only the instrumenter sets it: tables whose rows get a statement's entry when a routine that the statement fires
   * writes them (Capabilities.announces).
   */
  readonly followed?: readonly string[];
}

export interface View {
  readonly name: string;
  /** The view's columns are the aliases of the query's items. */
  readonly query: Query;
  /**
   * The table that an UPDATE through the view changes. Present exactly for a simple view: one table, some of its
   * columns under their own names, and perhaps a WHERE.
   */
  readonly updates?: string;
}
