/** Ways to write an item, one row each; a form may take several statements. */
import type { Expression, Insert, Statement } from '../../core/index.ts';
import { compare, hasSecondIndex, number, plus, rowsWhere } from './form.ts';
import type { Form, Site } from './form.ts';

const at = ({ item }: Site): Expression => compare(item.table, 'k', '=', item.key);
const set = (table: string, name: string, value: Expression, where?: Expression): Statement => ({
  kind: 'update',
  table,
  set: [{ column: name, value }],
  ...(where && { where }),
});
const put = ({ item, own }: Site): Insert => ({
  kind: 'insert',
  table: item.table,
  columns: ['k', 'g', 'v'],
  rows: [[number(item.key), number(item.key), number(own)]],
});
const remove = (site: Site): Statement => ({ kind: 'delete', table: site.item.table, where: at(site) });

export const WRITES: readonly Form[] = [
  { name: 'set', item: 'present', make: (site) => set(site.item.table, 'v', number(site.own), at(site)) },
  { name: 'add', item: 'present', make: (site) => set(site.item.table, 'v', plus(site.item.table, 'v', site.own), at(site)) },
  {
    name: 'set by index',
    item: 'present',
    fits: hasSecondIndex,
    make: (site) => set(site.item.table, 'v', number(site.own), compare(site.item.table, 'g', '=', site.item.key)),
  },
  {
    name: 'set of a range',
    make: (site) => set(site.item.table, 'v', number(site.own), compare(site.item.table, 'k', '>=', site.item.key)),
  },
  { name: 'add to all', make: (site) => set(site.item.table, 'v', plus(site.item.table, 'v', site.own)) },
  {
    name: 'move in the index',
    item: 'present',
    fits: hasSecondIndex,
    make: (site) => set(site.item.table, 'g', number(site.own), at(site)),
  },
  { name: 'move the key', item: 'present', make: (site) => set(site.item.table, 'k', number(site.own), at(site)) },
  {
    name: 'key there and back',
    item: 'present',
    make: (site) => [
      set(site.item.table, 'k', number(site.own), at(site)),
      set(site.item.table, 'k', number(site.item.key), compare(site.item.table, 'k', '=', site.own)),
    ],
  },
  { name: 'delete', item: 'present', make: remove },
  { name: 'delete all', make: ({ item }) => ({ kind: 'delete', table: item.table }) },
  { name: 'delete by value', make: ({ item }) => ({ kind: 'delete', table: item.table, where: compare(item.table, 'v', '<', 500) }) },
  { name: 'delete and insert', item: 'present', make: (site) => [remove(site), put(site)] },
  { name: 'insert', item: 'absent', make: put },
  {
    name: 'insert unless there',
    item: 'absent',
    keyed: true,
    make: (site) => ({ ...put(site), conflict: { action: 'nothing', columns: ['k'] } }),
  },
  {
    name: 'upsert',
    keyed: true,
    make: (site) => ({
      ...put(site),
      conflict: { action: 'update', columns: ['k'], set: [{ column: 'v', value: { kind: 'proposed', column: 'v' } }] },
    }),
  },
  {
    name: 'upsert that adds',
    keyed: true,
    make: (site) => ({
      ...put(site),
      conflict: { action: 'update', columns: ['k'], set: [{ column: 'v', value: plus(site.item.table, 'v', site.own) }] },
    }),
  },
  {
    name: 'replace',
    keyed: true,
    needs: ({ replace }) => replace === true,
    make: (site) => ({ ...put(site), conflict: { action: 'replace' } }),
  },
  {
    name: 'insert of what was selected',
    item: 'absent',
    make: (site) => ({
      ...put(site),
      rows: [],
      query: {
        kind: 'select',
        items: [
          { expression: number(site.item.key), alias: 'k' },
          { expression: number(site.item.key), alias: 'g' },
          { expression: { kind: 'aggregate', name: 'count' }, alias: 'v' },
        ],
        from: { kind: 'table', table: site.item.table, alias: 'o' },
      },
    }),
  },
  {
    name: 'set to a subquery',
    item: 'present',
    make: (site) =>
      set(
        site.item.table,
        'v',
        {
          kind: 'subquery',
          query: {
            ...rowsWhere(site.item.table, undefined, undefined, 'o'),
            items: [
              {
                expression: { kind: 'arithmetic', op: '+', left: { kind: 'aggregate', name: 'count' }, right: number(site.own) },
                alias: 'n',
              },
            ],
          },
        },
        at(site),
      ),
  },
  {
    name: 'taken back',
    item: 'present',
    make: (site) => [
      { kind: 'savepoint', name: 's' },
      set(site.item.table, 'v', number(site.own), at(site)),
      { kind: 'rollbackTo', name: 's' },
    ],
  },
];
