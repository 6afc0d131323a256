/**
 * Reads that are writes with nothing to do: a key that exists already, a condition that no row meets, a foreign key
 * that is checked.
 */
import type { Conflict, Delete, Expression, Insert } from '../../../core/sql/index.ts';
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
  otherOf,
  plus,
  put,
  refers,
  set,
  takenBack,
} from '../form.ts';
import type { Form, Site } from '../form.ts';

const never = (table: string): Expression => compare(table, 'v', '<', 0);

/** Tells whether a key of the item's table other than the primary one exists. */
const hasUnique: Form['fits'] = ({ definition }) => definition.uniques.length > 0;
/** Inserts another key with the item's unique value, which meets the item on that value alone. */
const meetingByValue = ({ item, own }: Site, conflict: Conflict): Insert => ({ ...insert(item.table, [own, item.group, own]), conflict });

/** Tells whether rows that are there at first keep their parents from going, at once. */
const holdsParent: Form['fits'] = ({ definition }) =>
  definition.rows.length > 0 && definition.foreignKeys.some(({ onDelete, deferred }) => onDelete === 'no action' && deferred !== true);
const deleteOfParent = ({ item }: Site): Delete => {
  const parent = item.definition.foreignKeys[0]!.table;
  return { kind: 'delete', table: parent, where: compare(parent, 'k', '=', item.group) };
};

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
  {
    name: 'upsert of nothing, any key',
    item: 'present',
    keyed: true,
    make: (site) => ({ ...put(site), conflict: { action: 'nothing', columns: [] } }),
  },
  {
    name: 'upsert of nothing, a row and another',
    item: 'present',
    keyed: true,
    fits: (item) => !refers(item),
    make: ({ item, own }) => ({
      ...insert(item.table, [item.key, item.group, own], [own, own, own]),
      conflict: { action: 'nothing', columns: item.definition.primaryKey },
    }),
  },
  {
    name: 'upsert of nothing by the unique column',
    item: 'present',
    fits: hasUnique,
    make: (site) => meetingByValue(site, { action: 'nothing', columns: ['g'] }),
  },
  {
    name: 'upsert that declines by the unique column',
    item: 'present',
    fits: hasUnique,
    make: (site) =>
      meetingByValue(site, {
        action: 'update',
        columns: ['g'],
        set: [{ column: 'v', value: number(site.own) }],
        where: never(site.item.table),
      }),
  },
  {
    name: 'move to a key that is taken, taken back',
    item: 'present',
    keyed: true,
    fits: (item) => !item.held && item.definition.primaryKey.length === 1 && otherOf(item) !== undefined,
    fails: true,
    make: ({ item }) => takenBack(set(item.table, 'k', number(item.key), compare(item.table, 'k', '=', otherOf(item)!.key))),
  },
  { name: 'insert that meets a row, taken back', item: 'present', keyed: true, fails: true, make: (site) => takenBack(put(site)) },
  {
    name: 'insert that meets a unique value, taken back',
    item: 'present',
    fits: hasUnique,
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
    fits: (item, fixture) => refers(item) && !holdsParent(item, fixture),
    make: (site) => takenBack(deleteOfParent(site)),
  },
  { name: 'delete of a held parent, taken back', fits: holdsParent, fails: true, make: (site) => takenBack(deleteOfParent(site)) },
];
