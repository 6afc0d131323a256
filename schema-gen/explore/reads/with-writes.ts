/** Reads by one statement that also writes: a part of its WITH notes what it found, or finds nothing to do. */
import {
  at,
  both,
  column,
  compare,
  count,
  from,
  hasWritingWith,
  insert,
  insertOf,
  number,
  plus,
  rowsWhere,
  set,
  sum,
  whatCame,
  withWrite,
} from '../form.ts';
import type { Form } from '../form.ts';

export const WITH_WRITES: readonly Form[] = [
  {
    name: 'noted by a part of a WITH',
    needs: hasWritingWith,
    make: (site) => {
      const { item, fixture, own } = site;
      const noted = insertOf(fixture.log, { k: number(own), g: count, v: sum(item.table) }, from(item.table), at(site));
      return withWrite(noted, { v: column(fixture.log, 'v') }, whatCame);
    },
  },
  {
    name: 'point beside a WITH that writes',
    needs: hasWritingWith,
    make: (site) => {
      const { item, fixture, own } = site;
      return withWrite(insert(fixture.log, [own, 0, own]), { v: column(fixture.log, 'v') }, rowsWhere(item.table, at(site)));
    },
  },
  {
    name: 'update of nothing in a WITH',
    needs: hasWritingWith,
    make: (site) => {
      const { table } = site.item;
      return withWrite(
        set(table, 'v', plus(table, 'v', 1), both(at(site), compare(table, 'v', '<', 0))),
        { v: column(table, 'v') },
        whatCame,
      );
    },
  },
];
