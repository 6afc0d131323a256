/** What the letters of a skeleton stand for in a fixture: a row of a table, there or not, and what must be known of it to read or write it. */
import type { Capabilities, Table, Value, Fixture } from '../../core/index.ts';

export type ItemName = 'x' | 'y' | 'z';

export interface Item {
  readonly table: string;
  readonly definition: Table;
  readonly key: number;
  /** The same as its column k has it. */
  readonly keyValue: Value;
  /** Its column g, where the row is there or is put there. */
  readonly group: number;
  /** The same as that column has it. */
  readonly groupValue: Value;
  readonly present: boolean;
  /** A row refers to one of its table, and forbids that this one goes. */
  readonly held: boolean;
}

export interface FixtureRow {
  readonly fixture: Fixture;
  readonly items: Readonly<Record<ItemName, Item>>;
  readonly log: string;
  /** Transactions are begun in other ways too: there is nothing in that which hangs on the fixture, so in some of them only. */
  readonly begins?: true;
  /** What a DBMS may lack; absent: none does. */
  readonly needs?: (capabilities: Capabilities) => boolean;
}
