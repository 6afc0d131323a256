/**
 * Writes that may meet each other in one value: two sessions write the same one, or one takes a key that another row has
 * just had.
 */
import { at, compare, hasSecondIndex, insert, isFallenBackOn, number, otherOf, refers, set } from '../form.ts';
import type { Form } from '../form.ts';

/** Every session writes this value. No first row has it, and no statement has it as its own number. */
const SAME = 77;

export const ALIKE: readonly Form[] = [
  { name: 'set to the same', item: 'present', make: (site) => set(site.item.table, 'v', number(SAME), at(site)) },
  {
    name: 'move in the index, to the same',
    item: 'present',
    fits: (item) => hasSecondIndex(item) && !refers(item),
    make: (site) => set(site.item.table, 'g', number(SAME), at(site)),
  },
  { name: 'move the key to the same', item: 'present', removes: true, make: (site) => set(site.item.table, 'k', number(SAME), at(site)) },
  {
    name: 'insert with the same unique value',
    fits: ({ definition }) => definition.uniques.length > 0,
    make: ({ item, own }) => insert(item.table, [item.present ? own : item.key, SAME, own]),
  },
  {
    name: 'swap of keys',
    item: 'present',
    removes: true,
    fits: (item, fixture) => otherOf(item) !== undefined && !isFallenBackOn(item, fixture),
    make: (site) => {
      const { table, key } = site.item;
      const other = otherOf(site.item)!.key;
      return [
        set(table, 'k', number(site.own), at(site)),
        set(table, 'k', number(key), compare(table, 'k', '=', other)),
        set(table, 'k', number(other), compare(table, 'k', '=', site.own)),
      ];
    },
  },
  {
    name: 'move another row to the key',
    item: 'absent',
    removes: true,
    fits: (item, fixture) => otherOf(item) !== undefined && !isFallenBackOn(item, fixture),
    make: ({ item }) => set(item.table, 'k', number(item.key), compare(item.table, 'k', '=', otherOf(item)!.key)),
  },
];
