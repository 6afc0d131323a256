/** Reads of one table by one SELECT without a subquery. They differ in the rows and in the values that they select. */
import type { Expression, Select } from '../../../core/sql/index.ts';
import {
  alike,
  at,
  atDouble,
  atEither,
  atGroup,
  both,
  column,
  compare,
  count,
  firstBy,
  from,
  hasHints,
  hasSecondIndex,
  hinted,
  items,
  number,
  rowsWhere,
  single,
  sum,
} from '../form.ts';
import type { Form, Site } from '../form.ts';
import { DOUBLE, counted, doubleOf, hasDouble, hasIndexOf } from '../indexed.ts';

/** Reads from the item on, or back: the first row by the key, which no two rows share. */
function nearest({ item }: Site, descending: boolean): Select {
  return {
    ...rowsWhere(item.table, compare(item.table, 'k', descending ? '<=' : '>=', item.key)),
    ...firstBy(item.table, item.definition.primaryKey, descending),
  };
}

/** Selects every row with a number that depends on the others. */
const numbered = (table: string, expression: Expression): Select => ({
  kind: 'select',
  items: items({ k: column(table, 'k'), n: expression }),
  from: from(table),
});

export const PLAIN: readonly Form[] = [
  { name: 'point', make: (site) => rowsWhere(site.item.table, at(site)) },
  { name: 'point by index', fits: hasSecondIndex, make: (site) => rowsWhere(site.item.table, atGroup(site)) },
  {
    name: 'point by index, forced',
    fits: hasSecondIndex,
    needs: hasHints,
    make: (site) => hinted(rowsWhere(site.item.table, atGroup(site)), 'force', site),
  },
  {
    name: 'point, its index passed over',
    fits: hasSecondIndex,
    needs: hasHints,
    make: (site) => hinted(rowsWhere(site.item.table, atGroup(site)), 'ignore', site),
  },
  { name: 'point by either index', fits: hasSecondIndex, make: (site) => rowsWhere(site.item.table, atEither(site)) },
  { name: 'count by either index', fits: hasSecondIndex, make: (site) => single(site.item.table, 'n', count, atEither(site)) },
  {
    name: 'point by expression',
    fits: hasIndexOf('expression'),
    make: ({ item }) => rowsWhere(item.table, alike(doubleOf(item.table), number(2 * item.group))),
  },
  {
    name: 'point by a computed column',
    fits: hasDouble,
    make: (site) => single(site.item.table, 'd', column(site.item.table, DOUBLE), atDouble(site)),
  },
  {
    name: 'sum of a computed column',
    fits: hasDouble,
    make: ({ item }) => single(item.table, 's', { kind: 'aggregate', name: 'sum', operand: column(item.table, DOUBLE) }),
  },
  {
    name: 'point among the indexed rows',
    fits: hasIndexOf('partial'),
    make: (site) => rowsWhere(site.item.table, both(atGroup(site), counted(site.item.table))),
  },
  {
    name: 'count of the indexed rows',
    fits: hasIndexOf('partial'),
    make: ({ item }) => single(item.table, 'n', count, counted(item.table)),
  },
  {
    name: 'range',
    make: ({ item }) => rowsWhere(item.table, both(compare(item.table, 'k', '>=', item.key), compare(item.table, 'k', '<', item.key + 1))),
  },
  {
    name: 'open range by index',
    fits: hasSecondIndex,
    make: ({ item }) => rowsWhere(item.table, compare(item.table, 'g', '>=', item.group)),
  },
  {
    name: 'in a list',
    make: ({ item, own }) =>
      rowsWhere(item.table, { kind: 'in', operand: column(item.table, 'k'), list: [number(item.key), number(own)], negated: false }),
  },
  {
    name: 'between',
    make: ({ item }) =>
      rowsWhere(item.table, { kind: 'between', operand: column(item.table, 'k'), low: number(item.key), high: number(item.key) }),
  },
  { name: 'filter', make: ({ item }) => rowsWhere(item.table, compare(item.table, 'v', '>', 5)) },
  { name: 'all', make: ({ item }) => rowsWhere(item.table) },
  { name: 'next by key', keyed: true, make: (site) => nearest(site, false) },
  { name: 'last by key', keyed: true, make: (site) => nearest(site, true) },
  {
    name: 'next by index',
    keyed: true,
    fits: hasSecondIndex,
    make: ({ item }) => ({ ...rowsWhere(item.table, compare(item.table, 'g', '>=', item.group)), ...firstBy(item.table, ['g', 'k']) }),
  },
  { name: 'distinct', make: (site) => ({ ...single(site.item.table, 'v', column(site.item.table, 'v'), at(site)), distinct: true }) },
  { name: 'key only', make: (site) => single(site.item.table, 'k', column(site.item.table, 'k'), at(site)) },
  { name: 'count', make: ({ item }) => single(item.table, 'n', count) },
  { name: 'count by index', fits: hasSecondIndex, make: ({ item }) => single(item.table, 'n', count, compare(item.table, 'g', '>', 0)) },
  {
    name: 'count by index, forced',
    fits: hasSecondIndex,
    needs: hasHints,
    make: (site) => hinted(single(site.item.table, 'n', count, compare(site.item.table, 'g', '>', 0)), 'force', site),
  },
  { name: 'sum', make: ({ item }) => single(item.table, 's', sum(item.table)) },
  {
    name: 'greatest key',
    make: ({ item }) => single(item.table, 'm', { kind: 'aggregate', name: 'max', operand: column(item.table, 'k') }),
  },
  {
    name: 'greatest by index',
    fits: hasSecondIndex,
    make: ({ item }) => single(item.table, 'm', { kind: 'aggregate', name: 'max', operand: column(item.table, 'g') }),
  },
  {
    name: 'groups',
    make: ({ item }) => ({
      kind: 'select',
      items: items({ g: column(item.table, 'g'), n: count, s: sum(item.table) }),
      from: from(item.table),
      groupBy: [column(item.table, 'g')],
      having: { kind: 'compare', op: '>', left: count, right: number(0) },
    }),
  },
  {
    name: 'rank',
    make: ({ item: { table } }) =>
      numbered(table, {
        kind: 'rank',
        name: 'rank',
        over: { partitionBy: [], orderBy: [{ expression: column(table, 'v'), descending: false }] },
      }),
  },
  {
    name: 'row number',
    keyed: true,
    make: ({ item: { table, definition } }) =>
      numbered(table, {
        kind: 'rank',
        name: 'row_number',
        over: { partitionBy: [], orderBy: definition.primaryKey.map((name) => ({ expression: column(table, name), descending: false })) },
      }),
  },
  {
    name: 'sum beside each row',
    make: ({ item: { table } }) =>
      numbered(table, { kind: 'aggregate', name: 'sum', operand: column(table, 'v'), over: { partitionBy: [], orderBy: [] } }),
  },
];
