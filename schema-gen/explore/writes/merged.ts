/**
 * Writes by MERGE, whose source is one row that always exists. The content of the table decides which branch is taken.
 */
import type { MergeBranch } from '../../../core/index.ts';
import { column, compare, hasMerge, hasWholeMerge, items, merge, number, plus } from '../form.ts';
import type { Form, Site } from '../form.ts';

const setOwn = ({ item, own }: Site, when: MergeBranch['when'] = 'matched'): MergeBranch => ({
  when,
  action: 'update',
  set: [{ column: 'v', value: plus(item.table, 'v', own) }],
});
const putOwn = ({ item, own }: Site): MergeBranch => ({
  when: 'not matched',
  action: 'insert',
  columns: ['k', 'g', 'v'],
  values: [item.key, item.group, own].map(number),
});

export const MERGED: readonly Form[] = [
  { name: 'merge that adds', item: 'present', needs: hasMerge, make: (site) => merge(site, [setOwn(site)]) },
  { name: 'merge that inserts', item: 'absent', needs: hasMerge, make: (site) => merge(site, [putOwn(site)]) },
  { name: 'merge either way', keyed: true, needs: hasMerge, make: (site) => merge(site, [setOwn(site), putOwn(site)]) },
  {
    name: 'merge that deletes',
    item: 'present',
    removes: true,
    needs: hasMerge,

    make: (site) => merge(site, [{ when: 'matched', action: 'delete' }]),
  },
  {
    name: 'merge that deletes or inserts',
    keyed: true,
    removes: true,
    needs: hasMerge,

    make: (site) => merge(site, [{ when: 'matched', action: 'delete' }, putOwn(site)]),
  },
  {
    name: 'merge of what no source meets',
    item: 'present',
    needs: hasWholeMerge,

    make: (site) => merge(site, [{ when: 'matched', action: 'nothing' }, setOwn(site, 'not matched by source')], elsewhere(site)),
  },
  {
    name: 'merge that adds, returned',
    item: 'present',
    needs: hasWholeMerge,

    make: (site) => ({ ...merge(site, [setOwn(site)]), returning: items({ v: column(site.item.table, 'v') }) }),
  },
];

/** Selects every row but the item's. */
function elsewhere({ item }: Site): ReturnType<typeof compare> {
  return compare(item.table, 'k', '<>', item.key);
}
