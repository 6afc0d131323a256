/** Writes of the first row in an order, as queues and batches of deletes have them (MySQL, MariaDB). */
import type { Expression } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import { compare, firstBy, hasSecondIndex, isFallenBackOn, number, set } from '../form.ts';
import type { Form, Site } from '../form.ts';

const hasLimit = ({ limitedWrites }: Capabilities): boolean => limitedWrites === true;
const from = ({ item }: Site, name: 'k' | 'g'): Expression => compare(item.table, name, '>=', name === 'k' ? item.key : item.group);

export const LIMITED: readonly Form[] = [
  {
    name: 'set of the next by key',
    item: 'present',
    keyed: true,
    needs: hasLimit,
    make: (site) => ({
      ...set(site.item.table, 'v', number(site.own), from(site, 'k')),
      ...firstBy(site.item.table, site.item.definition.primaryKey),
    }),
  },
  {
    name: 'set of the next by index',
    item: 'present',
    keyed: true,
    fits: hasSecondIndex,
    needs: hasLimit,
    make: (site) => ({ ...set(site.item.table, 'v', number(site.own), from(site, 'g')), ...firstBy(site.item.table, ['g', 'k']) }),
  },
  {
    name: 'set of the greatest value',
    keyed: true,
    needs: hasLimit,
    make: ({ item, own }) => ({ ...set(item.table, 'v', number(own)), ...firstBy(item.table, ['v', 'k'], true) }),
  },
  {
    name: 'delete of the next by key',
    item: 'present',
    keyed: true,
    removes: true,
    fits: (item, fixture) => !isFallenBackOn(item, fixture),
    needs: hasLimit,
    make: (site) => ({
      kind: 'delete',
      table: site.item.table,
      where: from(site, 'k'),
      ...firstBy(site.item.table, site.item.definition.primaryKey),
    }),
  },
  {
    name: 'delete of the last by value',
    keyed: true,
    removes: true,
    fits: (item, fixture) => !isFallenBackOn(item, fixture),
    needs: hasLimit,
    make: ({ item }) => ({ kind: 'delete', table: item.table, ...firstBy(item.table, ['v', 'k'], true) }),
  },
];
