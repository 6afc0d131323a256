/** Writes that change an existing row: its value, its key, an indexed column, the row that it refers to. */
import type { Expression } from '../../../core/sql/index.ts';
import {
  at,
  atDouble,
  atEither,
  atGroup,
  alike,
  both,
  column,
  compare,
  count,
  from,
  hasSecondIndex,
  items,
  nothing,
  number,
  otherOf,
  plus,
  refers,
  rowsWhere,
  set,
  sumOf,
} from '../form.ts';
import type { Form, Site } from '../form.ts';
import { counted, doubleOf, hasDouble, hasIndexOf } from '../indexed.ts';
import type { Item } from '../item.ts';
import { simpleView } from '../views.ts';

/** Sets its value. */
const setTo = (site: Site, value: Expression, where: Expression = at(site)): ReturnType<typeof set> =>
  set(site.item.table, 'v', value, where);

const isNullable = ({ definition }: Item): boolean => definition.columns.some(({ name, nullable }) => name === 'g' && nullable);
/** Returns another row of the table that it refers to. The fixtures have the keys 1 and 2 there. */
const otherParent = (item: Item): number => (item.group === 1 ? 2 : 1);

export const CHANGES: readonly Form[] = [
  { name: 'set', item: 'present', partner: true, make: (site) => setTo(site, number(site.own)) },
  { name: 'add', item: 'present', make: (site) => setTo(site, plus(site.item.table, 'v', site.own)) },
  { name: 'set by index', item: 'present', fits: hasSecondIndex, make: (site) => setTo(site, number(site.own), atGroup(site)) },
  { name: 'set by either index', item: 'present', fits: hasSecondIndex, make: (site) => setTo(site, number(site.own), atEither(site)) },
  { name: 'set of a range', make: (site) => setTo(site, number(site.own), compare(site.item.table, 'k', '>=', site.item.key)) },
  { name: 'add to all', make: ({ item, own }) => set(item.table, 'v', plus(item.table, 'v', own)) },
  {
    name: 'set through a view',
    item: 'present',
    fits: (_, { fixture }) => fixture.views !== undefined,
    needs: ({ unsupported = [] }) => !unsupported.includes('update through view'),
    make: (site) => ({
      kind: 'update',
      table: site.item.table,
      through: simpleView(site.item.table),
      set: [{ column: 'v', value: number(site.own) }],
      where: at(site, simpleView(site.item.table)),
    }),
  },
  {
    name: 'set, returned',
    item: 'present',
    needs: ({ returning }) => returning.update,
    make: ({ item, own }) => ({
      kind: 'update',
      table: item.table,
      set: [{ column: 'v', value: plus(item.table, 'v', own) }],
      where: compare(item.table, 'k', '=', item.key),
      returning: items({ v: column(item.table, 'v') }),
    }),
  },
  {
    name: 'set from a join',
    item: 'present',
    make: (site) => ({
      kind: 'update',
      table: site.item.table,
      set: [{ column: 'v', value: plus('o', 'v', site.own) }],
      from: from(site.item.table, 'o'),
      where: both(at(site), alike(column('o', 'k'), column(site.item.table, 'k'))),
    }),
  },
  {
    name: 'set to a subquery',
    item: 'present',
    make: (site) =>
      setTo(site, {
        kind: 'subquery',
        query: { ...rowsWhere(site.item.table, undefined, undefined, 'o'), items: items({ n: sumOf(count, site.own) }) },
      }),
  },
  {
    name: 'set in a subquery',
    item: 'present',
    make: (site) =>
      setTo(site, number(site.own), {
        kind: 'inQuery',
        operand: column(site.item.table, 'k'),
        negated: false,
        query: { ...rowsWhere(site.item.table, at(site, 'o'), undefined, 'o'), items: items({ k: column('o', 'k') }) },
      }),
  },
  {
    name: 'move in the index',
    item: 'present',
    fits: (item) => hasSecondIndex(item) && !refers(item),
    make: (site) => set(site.item.table, 'g', number(site.own), at(site)),
  },
  { name: 'leave the index', item: 'present', fits: hasIndexOf('partial'), make: (site) => setTo(site, number(0)) },
  {
    name: 'out of the index and back',
    item: 'present',
    fits: hasIndexOf('partial'),
    make: (site) => [setTo(site, number(0)), setTo(site, number(site.own))],
  },
  {
    name: 'set among the indexed rows',
    item: 'present',
    fits: hasIndexOf('partial'),
    make: (site) => setTo(site, number(site.own), both(atGroup(site), counted(site.item.table))),
  },
  {
    name: 'set by expression',
    item: 'present',
    fits: hasIndexOf('expression'),
    make: (site) => setTo(site, number(site.own), alike(doubleOf(site.item.table), number(2 * site.item.group))),
  },
  { name: 'set by a computed column', item: 'present', fits: hasDouble, make: (site) => setTo(site, number(site.own), atDouble(site)) },
  {
    name: 'move by a computed column',
    item: 'present',
    fits: hasDouble,
    make: (site) => set(site.item.table, 'g', number(site.own), atDouble(site)),
  },
  {
    name: 'set to null in the index',
    item: 'present',
    fits: (item) => isNullable(item) && hasSecondIndex(item),
    make: (site) => set(site.item.table, 'g', nothing, at(site)),
  },
  {
    name: 'move to another parent',
    item: 'present',
    fits: refers,
    make: (site) => set(site.item.table, 'g', number(otherParent(site.item)), at(site)),
  },
  {
    name: 'swap of unique values',
    item: 'present',
    fits: (item) => item.definition.uniques.length > 0 && otherOf(item) !== undefined,
    make: (site) => {
      const { table, group } = site.item;
      const other = otherOf(site.item)!;
      return [
        set(table, 'g', number(site.own), at(site)),
        set(table, 'g', number(group), compare(table, 'k', '=', other.key)),
        set(table, 'g', number(other.group), at(site)),
      ];
    },
  },
  {
    name: 'move the key',
    item: 'present',
    removes: true,
    partner: true,
    make: (site) => set(site.item.table, 'k', number(site.own), at(site)),
  },
  {
    name: 'key there and back',
    item: 'present',
    removes: true,
    make: (site) => [
      set(site.item.table, 'k', number(site.own), at(site)),
      set(site.item.table, 'k', number(site.item.key), compare(site.item.table, 'k', '=', site.own)),
    ],
  },
];
