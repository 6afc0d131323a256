/** Writes by the physical addresses of rows (ctid of PostgreSQL), as batches of updates and deletes have them. */
import type { Capabilities } from '../../../core/dialect/index.ts';
import { atAddress, number, plus, set } from '../form.ts';
import type { Form } from '../form.ts';

const hasAddresses = ({ rowAddresses }: Capabilities): boolean => rowAddresses === true;

export const ADDRESSED: readonly Form[] = [
  {
    name: 'set by address',
    item: 'present',
    needs: hasAddresses,
    make: (site) => set(site.item.table, 'v', number(site.own), atAddress(site)),
  },
  {
    name: 'add by address',
    item: 'present',
    needs: hasAddresses,
    make: (site) => set(site.item.table, 'v', plus(site.item.table, 'v', site.own), atAddress(site)),
  },
  {
    name: 'delete by address',
    item: 'present',
    removes: true,
    needs: hasAddresses,
    make: (site) => ({ kind: 'delete', table: site.item.table, where: atAddress(site) }),
  },
];
