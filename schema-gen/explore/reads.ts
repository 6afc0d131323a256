/**
 * Ways to read an item, one row each. Not all are SELECTs: a write that finds nothing to do, or that notes down what it
 * looked at, has read as well, and what a vendor's bookkeeping of reads forgets is mostly one of those.
 */
import type { Expression, Select } from '../../core/index.ts';
import { both, column, compare, hasSecondIndex, number, plus, rowsWhere, single } from './form.ts';
import type { Form, Site } from './form.ts';

const at = ({ item }: Site): Expression => compare(item.table, 'k', '=', item.key);
const count: Expression = { kind: 'aggregate', name: 'count' };
const sum = (table: string): Expression => ({ kind: 'aggregate', name: 'sum', operand: column(table, 'v') });
const orNothing = (query: Select): Expression => ({ kind: 'call', name: 'coalesce', args: [{ kind: 'subquery', query }, number(0)] });
const never = (table: string): Expression => compare(table, 'v', '<', 0);

export const READS: readonly Form[] = [
  { name: 'point', plain: true, make: (site) => rowsWhere(site.item.table, at(site)) },
  {
    name: 'point by index',
    plain: true,
    fits: hasSecondIndex,
    make: ({ item }) => rowsWhere(item.table, compare(item.table, 'g', '=', item.key)),
  },
  {
    name: 'range',
    plain: true,
    make: ({ item }) => rowsWhere(item.table, both(compare(item.table, 'k', '>=', item.key), compare(item.table, 'k', '<', item.key + 1))),
  },
  {
    name: 'open range by index',
    plain: true,
    fits: hasSecondIndex,
    make: ({ item }) => rowsWhere(item.table, compare(item.table, 'g', '>=', item.key)),
  },
  { name: 'filter', plain: true, make: ({ item }) => rowsWhere(item.table, compare(item.table, 'v', '>', 5)) },
  { name: 'all', plain: true, make: ({ item }) => rowsWhere(item.table) },
  { name: 'count', plain: true, make: ({ item }) => single(item.table, 'n', count) },
  {
    name: 'count by index',
    plain: true,
    fits: hasSecondIndex,
    make: ({ item }) => single(item.table, 'n', count, compare(item.table, 'g', '>', 0)),
  },
  { name: 'sum', plain: true, make: ({ item }) => single(item.table, 's', sum(item.table)) },
  {
    name: 'greatest key',
    plain: true,
    make: ({ item }) => single(item.table, 'm', { kind: 'aggregate', name: 'max', operand: column(item.table, 'k') }),
  },
  { name: 'key only', plain: true, make: (site) => single(site.item.table, 'k', column(site.item.table, 'k'), at(site)) },
  {
    name: 'in a subquery',
    plain: true,
    make: (site) => ({
      ...rowsWhere(
        site.item.table,
        {
          kind: 'inQuery',
          operand: column('o', 'k'),
          negated: false,
          query: single(site.item.table, 'k', column(site.item.table, 'k'), at(site)),
        },
        undefined,
        'o',
      ),
    }),
  },
  {
    name: 'join',
    plain: true,
    make: ({ item }) => ({
      kind: 'select',
      items: [
        { expression: column('a', 'k'), alias: 'k' },
        { expression: column('b', 'v'), alias: 'v' },
      ],
      where: compare('a', 'k', '=', item.key),
      from: {
        kind: 'join',
        type: 'inner',
        left: { kind: 'table', table: item.table, alias: 'a' },
        right: { kind: 'table', table: item.table, alias: 'b' },
        on: { kind: 'compare', op: '=', left: column('a', 'k'), right: column('b', 'g') },
      },
    }),
  },
  {
    name: 'common table',
    plain: true,
    make: (site) => ({
      kind: 'select',
      with: { recursive: false, ctes: [{ name: 'c', query: rowsWhere(site.item.table, at(site)) }] },
      items: [
        { expression: count, alias: 'n' },
        { expression: sum('c'), alias: 's' },
      ],
      from: { kind: 'cte', name: 'c', alias: 'c' },
    }),
  },
  {
    name: 'union',
    plain: true,
    make: (site) => ({
      kind: 'unionAll',
      arms: [rowsWhere(site.item.table, at(site)), rowsWhere(site.item.table, compare(site.item.table, 'k', '=', site.item.key + 1))],
    }),
  },
  { name: 'for update', make: (site) => rowsWhere(site.item.table, at(site), 'update') },
  { name: 'for share', needs: ({ lockShare }) => lockShare, make: (site) => rowsWhere(site.item.table, at(site), 'share') },
  { name: 'all for share', needs: ({ lockShare }) => lockShare, make: ({ item }) => rowsWhere(item.table, undefined, 'share') },
  {
    name: 'range for update',
    make: ({ item }) =>
      rowsWhere(item.table, both(compare(item.table, 'k', '>=', item.key), compare(item.table, 'k', '<', item.key + 1)), 'update'),
  },
  {
    name: 'upsert of nothing',
    item: 'present',
    keyed: true,
    make: ({ item, own }) => ({
      kind: 'insert',
      table: item.table,
      columns: ['k', 'g', 'v'],
      rows: [[number(item.key), number(item.key), number(own)]],
      conflict: { action: 'nothing', columns: ['k'] },
    }),
  },
  {
    name: 'upsert that declines',
    item: 'present',
    keyed: true,
    make: ({ item, own }) => ({
      kind: 'insert',
      table: item.table,
      columns: ['k', 'g', 'v'],
      rows: [[number(item.key), number(item.key), number(own)]],
      conflict: { action: 'update', columns: ['k'], set: [{ column: 'v', value: number(own) }], where: never(item.table) },
    }),
  },
  {
    name: 'update of nothing',
    make: (site) => ({
      kind: 'update',
      table: site.item.table,
      set: [{ column: 'v', value: plus(site.item.table, 'v', 1) }],
      where: both(at(site), never(site.item.table)),
    }),
  },
  {
    name: 'update of none by value',
    make: ({ item }) => ({
      kind: 'update',
      table: item.table,
      set: [{ column: 'v', value: plus(item.table, 'v', 1) }],
      where: compare(item.table, 'v', '>', 500),
    }),
  },
  {
    name: 'delete of nothing',
    make: (site) => ({ kind: 'delete', table: site.item.table, where: both(at(site), never(site.item.table)) }),
  },
  {
    name: 'insert of what was selected',
    make: (site) => ({
      kind: 'insert',
      table: site.world.log,
      columns: ['k', 'g', 'v'],
      rows: [],
      query: {
        kind: 'select',
        items: [
          { expression: number(site.own), alias: 'k' },
          { expression: count, alias: 'g' },
          { expression: sum(site.item.table), alias: 'v' },
        ],
        from: { kind: 'table', table: site.item.table, alias: site.item.table },
        where: at(site),
      },
    }),
  },
  {
    name: 'insert with a subquery',
    make: (site) => ({
      kind: 'insert',
      table: site.world.log,
      columns: ['k', 'g', 'v'],
      rows: [[number(site.own), number(0), orNothing(single(site.item.table, 'v', sum(site.item.table), at(site)))]],
    }),
  },
];
