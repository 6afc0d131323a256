/** Writes that create or remove a row: inserts, upserts, deletes, and the actions of foreign keys behind these. */
import {
  alike,
  at,
  both,
  childOf,
  childrenOf,
  column,
  compare,
  count,
  from,
  insert,
  insertOf,
  isDeferred,
  isFallenBackOn,
  items,
  number,
  plus,
  put,
  refers,
  remove,
} from '../form.ts';
import type { Form } from '../form.ts';

/** Tells whether every row of its table may be removed. */
const staysWithout: Form['fits'] = (item, fixture) => !isFallenBackOn(item, fixture);

export const COMINGS: readonly Form[] = [
  { name: 'delete', item: 'present', removes: true, partner: true, make: remove },
  { name: 'delete all', removes: true, fits: staysWithout, make: ({ item }) => ({ kind: 'delete', table: item.table }) },
  {
    name: 'delete by value',
    removes: true,
    fits: staysWithout,
    make: ({ item }) => ({ kind: 'delete', table: item.table, where: compare(item.table, 'v', '<', 500) }),
  },
  {
    name: 'delete, returned',
    item: 'present',
    removes: true,
    needs: ({ returning }) => returning.delete,
    make: ({ item }) => ({
      kind: 'delete',
      table: item.table,
      where: compare(item.table, 'k', '=', item.key),
      returning: items({ v: column(item.table, 'v') }),
    }),
  },
  {
    name: 'delete by a join',
    item: 'present',
    removes: true,
    make: (site) => ({
      kind: 'delete',
      table: site.item.table,
      using: from(site.item.table, 'o'),
      where: both(at(site), alike(column('o', 'k'), column(site.item.table, 'k'))),
    }),
  },
  {
    name: 'delete with its children',
    item: 'present',
    fits: (item, fixture) => (childrenOf(item, fixture)?.rows.length ?? 0) > 0,
    make: (site) => {
      const children = childrenOf(site.item, site.fixture)!.name;
      return [{ kind: 'delete', table: children, where: compare(children, 'g', '=', site.item.key) }, remove(site)];
    },
  },
  { name: 'delete and insert', item: 'present', removes: true, make: (site) => [remove(site), put(site)] },
  { name: 'insert', item: 'absent', partner: true, make: put },
  { name: 'insert of a child, then of its parent', item: 'absent', fits: isDeferred, make: (site) => [childOf(site), put(site)] },
  {
    name: 'insert of two rows',
    item: 'absent',
    make: ({ item, own }) => insert(item.table, [own, refers(item) ? item.group : own, own], [item.key, item.group, own]),
  },
  {
    name: 'insert, returned',
    item: 'absent',
    needs: ({ returning }) => returning.insert,
    make: (site) => ({ ...put(site), returning: items({ k: column(site.item.table, 'k'), v: column(site.item.table, 'v') }) }),
  },
  {
    name: 'insert unless there',
    item: 'absent',
    keyed: true,
    make: (site) => ({ ...put(site), conflict: { action: 'nothing', columns: site.item.definition.primaryKey } }),
  },
  {
    name: 'insert unless any key is there',
    item: 'absent',
    keyed: true,
    make: (site) => ({ ...put(site), conflict: { action: 'nothing', columns: [] } }),
  },
  {
    name: 'upsert by the unique column',
    fits: ({ definition }) => definition.uniques.length > 0,
    make: ({ item, own }) => ({
      ...insert(item.table, [item.present ? own : item.key, item.group, own]),
      conflict: { action: 'update', columns: ['g'], set: [{ column: 'v', value: { kind: 'proposed', column: 'v' } }] },
    }),
  },
  {
    name: 'upsert',
    keyed: true,
    make: (site) => ({
      ...put(site),
      conflict: {
        action: 'update',
        columns: site.item.definition.primaryKey,
        set: [{ column: 'v', value: { kind: 'proposed', column: 'v' } }],
      },
    }),
  },
  {
    name: 'upsert that adds',
    keyed: true,
    make: (site) => ({
      ...put(site),
      conflict: {
        action: 'update',
        columns: site.item.definition.primaryKey,
        set: [{ column: 'v', value: plus(site.item.table, 'v', site.own) }],
      },
    }),
  },
  {
    name: 'replace',
    keyed: true,
    removes: true,
    needs: ({ replace }) => replace === true,
    make: (site) => ({ ...put(site), conflict: { action: 'replace' } }),
  },
  {
    name: 'insert of what was selected',
    item: 'absent',
    make: ({ item }) => insertOf(item.table, { k: number(item.key), g: number(item.group), v: count }, from(item.table, 'o')),
  },
];
