/**
 * The catalogue of DDL. In each program one session changes a table itself (TRUNCATE, indexes, columns, constraints,
 * names) while others read and write it. It uses a selection of the reads and writes of rows, and one more write that
 * may conflict with a new constraint.
 */
import type { Statement, TableChange } from '../../core/index.ts';
import { at, hasNumber, number, set } from './form.ts';
import type { Form, Site } from './form.ts';
import type { Item, FixtureRow } from './item.ts';
import { READS } from './reads/index.ts';
import type { Skeleton } from './skeletons.ts';
import { WRITES } from './writes/index.ts';

/** The bound of an added check: the first values are below it, written values are not. */
const BELOW = 100;

const change = (does: (site: Site) => TableChange): Form['make'] => {
  return (site): Statement => ({ kind: 'changeTable', table: site.item.table, change: does(site) });
};

/** Returns another table of the fixture whose rows have names, except that of the notes. */
const otherTable = ({ table }: Item, { fixture, log }: FixtureRow): string | undefined =>
  fixture.tables.find(({ name, primaryKey }) => name !== table && name !== log && primaryKey.length === 1)?.name;

export const TABLE_CHANGES: readonly Form[] = [
  { name: 'truncate', make: change(() => ({ does: 'truncate' })) },
  { name: 'create index', make: change(({ item }) => ({ does: 'create index', name: `${item.table}_v`, columns: ['v'] })) },
  {
    name: 'create unique index',
    make: change(({ item }) => ({ does: 'create index', name: `${item.table}_v`, columns: ['v'], unique: true })),
  },
  {
    name: 'drop index',
    fits: ({ definition }) => definition.indexes.length > 0,
    make: change(({ item }) => ({ does: 'drop index', name: item.definition.indexes[0]!.name })),
  },
  { name: 'add column', make: change(() => ({ does: 'add column', column: 'n', filledWith: 7 })) },
  { name: 'drop column', make: change(() => ({ does: 'drop column', column: 'g' })) },
  { name: 'rename column', make: change(() => ({ does: 'rename column', column: 'v', to: 'w' })) },
  { name: 'rename table', make: change(({ item }) => ({ does: 'rename', to: renamed(item.table) })) },
  { name: 'widen column', make: change(() => ({ does: 'widen column', column: 'v' })) },
  { name: 'add check', make: change(({ item }) => ({ does: 'add check', name: `${item.table}_below`, column: 'v', below: BELOW })) },
  { name: 'add unique', make: change(({ item }) => ({ does: 'add unique', name: `${item.table}_v`, columns: ['v'] })) },
  {
    name: 'add foreign key',
    fits: (item, fixture) => otherTable(item, fixture) !== undefined,
    make: change(({ item, fixture }) => ({
      does: 'add foreign key',
      name: `${item.table}_to`,
      column: 'g',
      to: otherTable(item, fixture)!,
      references: 'k',
    })),
  },
];

const renamed = (table: string): string => `${table}_renamed`;

/** Writes the value that another row of the table has at first. */
const asAnother: Form = {
  name: 'set as another',
  item: 'present',
  fits: (item) => hasNumber(item) && item.definition.rows.length > 1,
  make: (site) => set(site.item.table, 'v', number(site.item.key === 1 ? 20 : 10), at(site)),
};

function named(all: readonly Form[], names: readonly string[]): readonly Form[] {
  return all.filter(({ name }) => names.includes(name));
}

export const CHANGE_READS: readonly Form[] = named(READS, [
  'point',
  'point by index',
  'range',
  'filter',
  'all',
  'count',
  'count by index',
  'sum',
  'greatest key',
  'join',
  'exists',
  'for update',
  'for share',
  'all for share',
  'insert if it exists',
  'update of nothing',
  'upsert of nothing',
]);

export const CHANGE_WRITES: readonly Form[] = [
  ...named(WRITES, [
    'set',
    'add',
    'set by index',
    'set of a range',
    'add to all',
    'set from a join',
    'move in the index',
    'move the key',
    'delete',
    'delete all',
    'delete and insert',
    'insert',
    'insert of two rows',
    'insert unless there',
    'upsert',
    'taken back, then set',
  ]),
  asAnother,
];

export const CHANGE_SKELETONS: readonly Skeleton[] = [
  { name: 'change between two reads', sessions: ['rx rx', '~cx'] },
  { name: 'change between reads of two', sessions: ['ry rx', '~cx'] },
  { name: 'change beside a write', sessions: ['wx', '~cx'] },
  { name: 'change beside lost update', sessions: ['rx wx', '~cx'], first: true },
  { name: 'change beside a write behind a read', sessions: ['ry wx', '~cx'] },
  { name: 'change beside a write undone', sessions: ['wx !', '~cx', '~rx'] },
  { name: 'change beside two writers', sessions: ['wx', '~cx', 'wx'] },
  { name: 'change beside write skew', sessions: ['rx wy', 'ry wx', '~cx'] },
  { name: 'change beside read skew', sessions: ['ry rx', 'wx wy', '~cx'] },
  { name: 'read skew by a change', sessions: ['ry rx', 'cx wy'], within: true },
  { name: 'read skew by a change, crossed', sessions: ['ry rx', 'wy cx'], within: true },
  { name: 'lost update by a change', sessions: ['rx wx', 'rx cx'], within: true },
  { name: 'write skew by a change', sessions: ['rx wy', 'ry cx'], within: true },
  { name: 'change beside own writes', sessions: ['wx rx', 'wx cx'], within: true },
  { name: 'change, then read', sessions: ['wx', 'cx rx'], within: true },
  { name: 'change undone', sessions: ['rx wx', 'cx !'], within: true },
  { name: 'two changes', sessions: ['ry cx', 'rx cy'], within: true },
];

const FIXTURES: ReadonlySet<string> = new Set([
  'two rows',
  'one row',
  'no row',
  'two tables',
  'two tables, one empty',
  'a unique column',
  'no index',
]);

/** Returns some of the fixtures, whose tables are created again before each run. */
export function changedFixtures(rows: readonly FixtureRow[]): readonly FixtureRow[] {
  const plain = new Set(rows.filter(({ fixture }) => !fixture.byIndex && FIXTURES.has(fixture.name)).map(({ items }) => items.x.table));
  return rows
    .filter(({ fixture: { byIndex }, items }) => (byIndex === false || byIndex === 'index') && plain.has(items.x.table))
    .map((row) => ({
      ...row,
      fixture: { ...row.fixture, changesSchema: true, renamed: row.fixture.tables.map(({ name }) => renamed(name)) },
    }));
}
