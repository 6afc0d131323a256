/**
 * The worlds of the catalogue as rows of data: tables of one to three rows, and which row each item of a skeleton is, some
 * of them absent at first. Every table has a column that names the row (k), one that an index may be over (g) and a value
 * (v); g is k at first. Beside them stands a table that only takes what transactions note down.
 */
import type { Column, Table, World } from '../../core/index.ts';

export type ItemName = 'x' | 'y' | 'z';

export interface Item {
  readonly table: string;
  readonly key: number;
  readonly present: boolean;
}

export interface WorldRow {
  readonly world: World;
  readonly items: Readonly<Record<ItemName, Item>>;
  /** k is a primary key. */
  readonly keyed: boolean;
  readonly log: string;
}

interface Sketch {
  readonly name: string;
  /** By table, the keys that are there; the number of a row's value is ten times its key. */
  readonly tables: Readonly<Record<string, readonly number[]>>;
  /** Table and key of each item. */
  readonly items: Readonly<Record<ItemName, readonly [string, number]>>;
  readonly index: 'g' | 'unique g' | 'none';
}

const SKETCHES: readonly Sketch[] = [
  { name: 'two rows', tables: { two: [1, 2] }, items: { x: ['two', 1], y: ['two', 2], z: ['two', 3] }, index: 'g' },
  { name: 'one row', tables: { one: [1] }, items: { x: ['one', 1], y: ['one', 2], z: ['one', 3] }, index: 'g' },
  { name: 'no row', tables: { nothing: [] }, items: { x: ['nothing', 1], y: ['nothing', 2], z: ['nothing', 3] }, index: 'g' },
  { name: 'a gap', tables: { gap: [1, 3] }, items: { x: ['gap', 2], y: ['gap', 3], z: ['gap', 1] }, index: 'g' },
  {
    name: 'two tables',
    tables: { left_one: [1], right_one: [1] },
    items: { x: ['left_one', 1], y: ['right_one', 1], z: ['left_one', 2] },
    index: 'g',
  },
  {
    name: 'two tables, one empty',
    tables: { full: [1], empty: [] },
    items: { x: ['full', 1], y: ['empty', 1], z: ['full', 2] },
    index: 'g',
  },
  {
    name: 'a unique column',
    tables: { unique_two: [1, 2] },
    items: { x: ['unique_two', 1], y: ['unique_two', 2], z: ['unique_two', 3] },
    index: 'unique g',
  },
  { name: 'no index', tables: { heap: [1, 2] }, items: { x: ['heap', 1], y: ['heap', 2], z: ['heap', 3] }, index: 'none' },
];

/** Each as it is and, where an index could be passed over, once more with a planner that takes it. */
export function worldRows(canForceIndexes: boolean): readonly WorldRow[] {
  return SKETCHES.flatMap((sketch) =>
    canForceIndexes && sketch.index !== 'none' ? [worldRow(sketch, false), worldRow(sketch, true)] : [worldRow(sketch, false)],
  );
}

function worldRow({ name, tables, items, index }: Sketch, byIndex: boolean): WorldRow {
  const keyed = index !== 'none';
  const made = Object.entries(tables).map(([table, keys]) => tableOf(table, keys, index));
  const log = `${made[0]!.name}_log`;
  const item = ([table, key]: readonly [string, number]): Item => ({ table, key, present: tables[table]!.includes(key) });
  return {
    world: { name: byIndex ? `${name}, by index` : name, tables: [...made, { ...tableOf(log, [], 'none'), indexes: [] }], byIndex },
    items: { x: item(items.x), y: item(items.y), z: item(items.z) },
    keyed,
    log,
  };
}

function tableOf(name: string, keys: readonly number[], index: Sketch['index']): Table {
  const column = (called: string): Column => ({ name: called, type: { kind: 'integer' }, nullable: called === 'v' });
  return {
    name,
    columns: ['k', 'g', 'v'].map(column),
    primaryKey: index === 'none' ? [] : ['k'],
    uniques: index === 'unique g' ? [['g']] : [],
    checks: [],
    foreignKeys: [],
    indexes: index === 'g' ? [{ name: `${name}_g`, columns: ['g'] }] : [],
    rows: keys.map((key) => [key, key, 10 * key]),
  };
}
