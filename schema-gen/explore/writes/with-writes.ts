/** Writes by a part of a WITH, whose statement shows or notes the rows that the part returned. */
import { at, column, hasWritingWith, insertOf, number, ofPart, PART, plus, put, remove, set, whatCame, withWrite } from '../form.ts';
import type { Form, Site } from '../form.ts';

const valueOf = ({ item }: Site): Readonly<Record<'v', ReturnType<typeof column>>> => ({ v: column(item.table, 'v') });
/** Turns each returned row into a note. */
const noted = ({ fixture, own }: Site): ReturnType<typeof insertOf> =>
  insertOf(fixture.log, { k: number(own), g: number(0), v: column(PART, 'v') }, ofPart);

export const WITH_WRITES: readonly Form[] = [
  {
    name: 'add in a WITH',
    item: 'present',
    needs: hasWritingWith,
    make: (site) => withWrite(set(site.item.table, 'v', plus(site.item.table, 'v', site.own), at(site)), valueOf(site), whatCame),
  },
  {
    name: 'add in a WITH, noted',
    item: 'present',
    needs: hasWritingWith,
    make: (site) => withWrite(set(site.item.table, 'v', plus(site.item.table, 'v', site.own), at(site)), valueOf(site), noted(site)),
  },
  {
    name: 'delete in a WITH, noted',
    item: 'present',
    removes: true,
    needs: hasWritingWith,
    make: (site) => withWrite(remove(site), valueOf(site), noted(site)),
  },
  { name: 'insert in a WITH', item: 'absent', needs: hasWritingWith, make: (site) => withWrite(put(site), valueOf(site), whatCame) },
];
