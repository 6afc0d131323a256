/**
 * A row of a table that a letter of a skeleton means in a fixture, present or not, with the facts that are needed to
 * read or write it.
 */
import type { Table, Value } from '../../core/sql/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';
import type { Fixture } from '../../core/program/index.ts';

export type ItemName = 'x' | 'y' | 'z';

export interface Item {
  readonly table: string;
  readonly definition: Table;
  readonly key: number;
  /** The same value as its column k has it. */
  readonly keyValue: Value;
  /** Its column g, if the row is present or is inserted. */
  readonly group: number;
  /** The same value as that column has it. */
  readonly groupValue: Value;
  readonly present: boolean;
  /** A row refers to one of its table, and forbids its removal. */
  readonly held: boolean;
}

export interface FixtureRow {
  readonly fixture: Fixture;
  readonly items: Readonly<Record<ItemName, Item>>;
  readonly log: string;
  /** Transactions are begun in other modes too. This does not depend on the fixture, so only some have it. */
  readonly begins?: true;
  /** Tests a feature that a DBMS may lack. Absent means that none lacks it. */
  readonly needs?: (capabilities: Capabilities) => boolean;
}

const ITEMS: readonly ItemName[] = ['x', 'y', 'z'];

/** Returns one item of each table that is present, and one that is absent. */
export function differentItems({ items }: Pick<FixtureRow, 'items'>): readonly ItemName[] {
  const alike = (a: Item, b: Item): boolean => a.table === b.table && a.present === b.present;
  return ITEMS.filter((name, n) => !ITEMS.slice(0, n).some((before) => alike(items[before], items[name])));
}
