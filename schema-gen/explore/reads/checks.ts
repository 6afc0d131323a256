/**
 * Reads that are writes with nothing to do: a key that exists already, a condition that no row meets, a foreign key
 * that is checked.
 */
import type { Expression } from '../../../core/index.ts';
import {
  at,
  both,
  childOf,
  childrenOf,
  compare,
  hasMerge,
  insert,
  isDeferred,
  merge,
  number,
  plus,
  put,
  refers,
  set,
  takenBack,
} from '../form.ts';
import type { Form } from '../form.ts';

const never = (table: string): Expression => compare(table, 'v', '<', 0);

const hasChildren: Form['fits'] = (item, fixture) => childrenOf(item, fixture) !== undefined;

export const CHECKS: readonly Form[] = [
  {
    name: 'upsert of nothing',
    item: 'present',
    keyed: true,
    make: (site) => ({ ...put(site), conflict: { action: 'nothing', columns: site.item.definition.primaryKey } }),
  },
  {
    name: 'upsert that declines',
    item: 'present',
    keyed: true,
    make: (site) => ({
      ...put(site),
      conflict: {
        action: 'update',
        columns: site.item.definition.primaryKey,
        set: [{ column: 'v', value: number(site.own) }],
        where: never(site.item.table),
      },
    }),
  },
  { name: 'insert that meets a row, taken back', item: 'present', keyed: true, fails: true, make: (site) => takenBack(put(site)) },
  {
    name: 'insert that meets a unique value, taken back',
    item: 'present',
    fits: ({ definition }) => definition.uniques.length > 0,
    fails: true,
    make: ({ item, own }) => takenBack(insert(item.table, [own, item.group, own])),
  },
  {
    name: 'update of nothing',
    make: (site) => set(site.item.table, 'v', plus(site.item.table, 'v', 1), both(at(site), never(site.item.table))),
  },
  {
    name: 'update of none by value',
    make: ({ item }) => set(item.table, 'v', plus(item.table, 'v', 1), compare(item.table, 'v', '>', 500)),
  },
  { name: 'merge of nothing', needs: hasMerge, make: (site) => merge(site, [{ when: 'matched', action: 'nothing' }]) },
  {
    name: 'merge that declines',
    needs: hasMerge,
    make: (site) => merge(site, [{ when: 'matched', and: never(site.item.table), action: 'delete' }]),
  },
  {
    name: 'delete of nothing',
    make: (site) => ({ kind: 'delete', table: site.item.table, where: both(at(site), never(site.item.table)) }),
  },
  { name: 'insert of a child', item: 'present', fits: hasChildren, make: childOf },
  { name: 'insert of a child, taken back', item: 'present', fits: hasChildren, make: (site) => takenBack(childOf(site)) },
  {
    name: 'insert of a child without a parent, taken back',
    item: 'absent',
    fits: (item, fixture) => hasChildren(item, fixture) && !isDeferred(item, fixture),
    fails: true,
    make: (site) => takenBack(childOf(site)),
  },
  {
    name: 'delete of the parent, taken back',
    fits: refers,
    make: ({ item }) => {
      const parent = item.definition.foreignKeys[0]!.table;
      return takenBack({ kind: 'delete', table: parent, where: compare(parent, 'k', '=', item.group) });
    },
  },
];
