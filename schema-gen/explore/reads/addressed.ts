/** Reads by the physical addresses of rows (ctid of PostgreSQL), which other scans answer than those by keys. */
import type { Capabilities } from '../../../core/dialect/index.ts';
import { atAddress, beyondAddress, both, at, count, rowsWhere, single } from '../form.ts';
import type { Form } from '../form.ts';

const hasAddresses = ({ rowAddresses }: Capabilities): boolean => rowAddresses === true;

export const ADDRESSED: readonly Form[] = [
  { name: 'point by address', needs: hasAddresses, make: (site) => rowsWhere(site.item.table, atAddress(site)) },
  { name: 'all by address', needs: hasAddresses, make: ({ item }) => rowsWhere(item.table, beyondAddress(item.table)) },
  { name: 'count by address', needs: hasAddresses, make: ({ item }) => single(item.table, 'n', count, beyondAddress(item.table)) },
  {
    name: 'key and address',
    needs: hasAddresses,
    make: (site) => rowsWhere(site.item.table, both(at(site), beyondAddress(site.item.table))),
  },
  { name: 'for update by address', needs: hasAddresses, make: (site) => rowsWhere(site.item.table, atAddress(site), 'update') },
];
