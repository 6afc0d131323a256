/** The sketch of a fixture: one row of the catalogue's data, from which its tables and items are made (fixtures.ts). */
import type { ForeignKey, Generated, IndexShape, Trigger } from '../../core/sql/index.ts';
import type { ItemName, FixtureRow } from './item.ts';
import type { NumberKind } from './typed-numbers.ts';

export type Rows = readonly (number | readonly [key: number, group: number | null])[];
/** Table and key, and its group if that is another number. */
export type Place = readonly [table: string, key: number, group?: number];

export interface Sketch {
  readonly name: string;
  /** The keys that are present, by table. A row's value is ten times its key. */
  readonly tables: Readonly<Record<string, Rows>>;
  readonly items: Readonly<Record<ItemName, Place>>;
  readonly index: 'g' | 'unique g' | 'keys' | 'none';
  /** The default is k. A fixture without an index has none. */
  readonly primaryKey?: readonly string[];
  readonly nullable?: true;
  /** The type of the column g, or of the key of every table too, if it is not an integer. */
  readonly typed?: Typed;
  /** The type of the second table's columns, if it differs from the first table's. */
  readonly secondTyped?: Typed | 'integer';
  /** The extra properties of the index over g beyond a B-tree, and its columns, by default g. */
  readonly shape?: (table: string) => IndexShape;
  readonly over?: readonly string[];
  /** An additional column d that the server computes: twice g. */
  readonly doubled?: Generated['kind'];
  readonly needs?: FixtureRow['needs'];
  /** The first table has two partitions, the second one beginning with this key. */
  readonly parted?: number;
  /** A trigger of the first table that acts on the second one. Notes go to the table of notes. */
  readonly trigger?: Trigger['does'];
  /**
   * Other begin modes and protocols apply, but not with a planner that is forced to use indexes. Other ways to force
   * indexes apply too.
   */
  readonly begins?: true;
  /** The foreign key of the second table, whose column g names a row of the first one. */
  readonly refers?: Pick<ForeignKey, 'onDelete' | 'onUpdate' | 'deferred'>;
  /** The row that the second table's rows name by default. */
  readonly byDefault?: number;
  readonly views?: true;
}

export interface Typed {
  readonly kind: NumberKind;
  readonly of: 'group' | 'all';
}
