/** Writes of which a part is undone: by ROLLBACK TO, by a failure half way, or by a later statement. */
import { at, insert, number, put, refers, remove, set, takenBack } from '../form.ts';
import type { Form, Site } from '../form.ts';

const setOwn = (site: Site, more: number = 0): ReturnType<typeof set> => set(site.item.table, 'v', number(site.own + more), at(site));
/** Inserts two rows, of which the second one fails. */
const halfway = ({ item, own }: Site): ReturnType<typeof insert> =>
  insert(item.table, [own, refers(item) ? item.group : own, own], [item.key, item.group, own]);

export const UNDONE: readonly Form[] = [
  { name: 'taken back', item: 'present', make: (site) => takenBack(setOwn(site)) },
  { name: 'taken back, then set', item: 'present', make: (site) => [...takenBack(setOwn(site)), setOwn(site, 1)] },
  { name: 'insert and delete', item: 'absent', make: (site) => [put(site), remove(site)] },
  { name: 'insert, delete, insert', item: 'absent', make: (site) => [put(site), remove(site), put({ ...site, own: site.own + 1 })] },
  {
    name: 'set behind an insert that failed',
    item: 'present',
    keyed: true,
    fails: true,
    make: (site) => [...takenBack(halfway(site)), setOwn(site, 1)],
  },
  {
    name: 'set behind an insert that failed, no savepoint',
    item: 'present',
    keyed: true,
    fails: true,
    // On other servers the error ends the transaction.
    needs: ({ savepointsRecover }) => savepointsRecover !== true,
    make: (site) => [halfway(site), setOwn(site, 1)],
  },
];
