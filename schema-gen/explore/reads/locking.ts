/**
 * Locking reads, two equal reads of which one locks, and reads behind a savepoint that is rolled back: the results that
 * were returned still count. A lock that a server refuses at once counts as one that it did not get.
 */
import type { Lock, LockStrength } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import {
  alike,
  at,
  atDouble,
  atEither,
  atGroup,
  both,
  column,
  compare,
  firstBy,
  from,
  hasHints,
  hasSecondIndex,
  hinted,
  items,
  joinsItself,
  number,
  rowsWhere,
  takenBack,
} from '../form.ts';
import type { Form } from '../form.ts';
import { counted, doubleOf, hasDouble, hasIndexOf } from '../indexed.ts';

const locks =
  (strength: LockStrength) =>
  ({ lockStrengths }: Capabilities): boolean =>
    lockStrengths.includes(strength);
const shares = locks('share');
const refuses = ({ lockWait }: Capabilities): boolean => lockWait.includes('nowait');
const NOWAIT: Lock = { strength: 'update', wait: 'nowait' };

/** Locks that not every DBMS has: each on one row with and without waiting, on a range, and beside plain reads. */
const ofStrength = (strength: LockStrength, called: string): readonly Form[] => [
  { name: called, needs: locks(strength), make: (site) => rowsWhere(site.item.table, at(site), strength) },
  {
    name: `${called} or not at all`,
    needs: (capabilities) => refuses(capabilities) && locks(strength)(capabilities),
    make: (site) => rowsWhere(site.item.table, at(site), { strength, wait: 'nowait' }),
  },
  {
    name: `${called} by index`,
    needs: locks(strength),
    fits: hasSecondIndex,
    make: (site) => rowsWhere(site.item.table, atGroup(site), strength),
  },
  { name: `all ${called}`, needs: locks(strength), make: ({ item }) => rowsWhere(item.table, undefined, strength) },
  {
    name: `plain, then ${called}`,
    needs: locks(strength),
    make: (site) => [rowsWhere(site.item.table, at(site)), rowsWhere(site.item.table, at(site), strength)],
  },
  { name: `${called}, taken back`, needs: locks(strength), make: (site) => takenBack(rowsWhere(site.item.table, at(site), strength)) },
];

export const LOCKING: readonly Form[] = [
  ...ofStrength('no key update', 'for no key update'),
  ...ofStrength('key share', 'for key share'),
  { name: 'for update', make: (site) => rowsWhere(site.item.table, at(site), 'update') },
  { name: 'for update by index', fits: hasSecondIndex, make: (site) => rowsWhere(site.item.table, atGroup(site), 'update') },
  { name: 'for update by either index', fits: hasSecondIndex, make: (site) => rowsWhere(site.item.table, atEither(site), 'update') },
  {
    name: 'next by key, for update',
    keyed: true,
    make: ({ item }) => ({
      ...rowsWhere(item.table, compare(item.table, 'k', '>=', item.key), 'update'),
      ...firstBy(item.table, item.definition.primaryKey),
    }),
  },
  {
    name: 'for update by index, forced',
    fits: hasSecondIndex,
    needs: hasHints,
    make: (site) => hinted(rowsWhere(site.item.table, atGroup(site), 'update'), 'force', site),
  },
  {
    name: 'for update, its index passed over',
    fits: hasSecondIndex,
    needs: hasHints,
    make: (site) => hinted(rowsWhere(site.item.table, atGroup(site), 'update'), 'ignore', site),
  },
  {
    name: 'for update by expression',
    fits: hasIndexOf('expression'),
    make: ({ item }) => rowsWhere(item.table, alike(doubleOf(item.table), number(2 * item.group)), 'update'),
  },
  { name: 'for update by a computed column', fits: hasDouble, make: (site) => rowsWhere(site.item.table, atDouble(site), 'update') },
  {
    name: 'for update among the indexed rows',
    fits: hasIndexOf('partial'),
    make: (site) => rowsWhere(site.item.table, both(atGroup(site), counted(site.item.table)), 'update'),
  },
  { name: 'for update by value', make: ({ item }) => rowsWhere(item.table, compare(item.table, 'v', '>', 5), 'update') },
  { name: 'for update or not at all', needs: refuses, make: (site) => rowsWhere(site.item.table, at(site), NOWAIT) },
  {
    name: 'for share or not at all',
    needs: (capabilities) => refuses(capabilities) && shares(capabilities),
    make: (site) => rowsWhere(site.item.table, at(site), { strength: 'share', wait: 'nowait' }),
  },
  { name: 'for share', needs: shares, make: (site) => rowsWhere(site.item.table, at(site), 'share') },
  { name: 'all for share', needs: shares, make: ({ item }) => rowsWhere(item.table, undefined, 'share') },
  {
    name: 'range for update',
    make: ({ item }) =>
      rowsWhere(item.table, both(compare(item.table, 'k', '>=', item.key), compare(item.table, 'k', '<', item.key + 1)), 'update'),
  },
  {
    name: 'join for update',
    fits: joinsItself,
    make: ({ item }) => ({
      kind: 'select',
      items: items({ k: column('a', 'k'), v: column('b', 'v') }),
      from: {
        kind: 'join',
        type: 'inner',
        left: from(item.table, 'a'),
        right: from(item.table, 'b'),
        on: alike(column('a', 'k'), column('b', 'g')),
      },
      where: compare('a', 'k', '=', item.key),
      lock: { strength: 'update' },
    }),
  },
  {
    name: 'plain, then for update',
    make: (site) => [rowsWhere(site.item.table, at(site)), rowsWhere(site.item.table, at(site), 'update')],
  },
  {
    name: 'for update, then plain',
    make: (site) => [rowsWhere(site.item.table, at(site), 'update'), rowsWhere(site.item.table, at(site))],
  },
  { name: 'point, taken back', make: (site) => takenBack(rowsWhere(site.item.table, at(site))) },
  { name: 'for update, taken back', make: (site) => takenBack(rowsWhere(site.item.table, at(site), 'update')) },
  {
    name: 'plain, then all for share',
    needs: shares,
    make: (site) => [rowsWhere(site.item.table, at(site)), rowsWhere(site.item.table, undefined, 'share')],
  },
];
