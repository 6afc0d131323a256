/** Reads whose result is written into the table of notes, so that the remaining rows show what was read. */
import type { Expression, Select, Statement } from '../../../core/index.ts';
import {
  alike,
  at,
  both,
  column,
  compare,
  count,
  exists,
  from,
  hasMerge,
  insert,
  insertOf,
  items,
  number,
  orNothing,
  set,
  single,
  sum,
} from '../form.ts';
import type { Form, Site } from '../form.ts';

const sumOfItem = (site: Site): Select => single(site.item.table, 'v', sum(site.item.table), at(site));
const itsRow = ({ item }: Site): Select => single(item.table, 'k', column(item.table, 'k'), compare(item.table, 'k', '=', item.key));
/** Writes a note of its own, and uses it in another statement. */
const noted = (site: Site, then: (ofNote: Expression, log: string) => Statement): readonly Statement[] => {
  const { log } = site.fixture;
  return [insert(log, [site.own, 0, 0]), then(compare(log, 'k', '=', site.own), log)];
};

export const NOTED: readonly Form[] = [
  {
    name: 'insert of what was selected',
    make: (site) => insertOf(site.fixture.log, { k: number(site.own), g: count, v: sum(site.item.table) }, from(site.item.table), at(site)),
  },
  { name: 'insert with a subquery', make: (site) => insert(site.fixture.log, [site.own, 0, orNothing(sumOfItem(site))]) },
  {
    name: 'insert if it exists',
    make: (site) =>
      insertOf(site.fixture.log, { k: number(site.own), g: count, v: number(0) }, from(site.item.table, 'o'), exists(itsRow(site))),
  },
  {
    name: 'insert that returns a subquery',
    needs: ({ returning }) => returning.insert,
    make: (site) => ({
      ...insert(site.fixture.log, [site.own, 0, 0]),
      returning: items({ k: column(site.fixture.log, 'k'), s: { kind: 'subquery', query: sumOfItem(site) } }),
    }),
  },
  {
    name: 'merge into the notes',
    needs: hasMerge,
    make: (site) => ({
      kind: 'merge',
      table: site.fixture.log,
      source: { kind: 'derived', query: single(site.item.table, 'n', count, at(site)), alias: 's' },
      on: compare(site.fixture.log, 'k', '=', site.own),
      branches: [
        { when: 'not matched', action: 'insert', columns: ['k', 'g', 'v'], values: [number(site.own), column('s', 'n'), number(0)] },
      ],
    }),
  },
  {
    name: 'update if it exists',
    make: (site) => noted(site, (ofNote, log) => set(log, 'v', number(site.own), both(ofNote, exists(itsRow(site))))),
  },
  {
    name: 'delete if it exists',
    make: (site) => noted(site, (ofNote, log) => ({ kind: 'delete', table: log, where: both(ofNote, exists(itsRow(site))) })),
  },
  {
    name: 'update from it',
    make: (site) =>
      noted(site, (ofNote, log) => ({
        kind: 'update',
        table: log,
        set: [{ column: 'v', value: column('o', 'v') }],
        from: from(site.item.table, 'o'),
        where: both(ofNote, at(site, 'o')),
      })),
  },
  {
    name: 'delete using it',
    make: (site) =>
      noted(site, (ofNote, log) => ({
        kind: 'delete',
        table: log,
        using: from(site.item.table, 'o'),
        where: both(ofNote, at(site, 'o'), alike(column(log, 'g'), number(0))),
      })),
  },
];
