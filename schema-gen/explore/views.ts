/** The views of a fixture over one of its tables: all of it, its groups, a join of it with itself. */
import type { View } from '../../core/sql/index.ts';
import { alike, column, count, from, items, rowsWhere, sum } from './form.ts';

export const simpleView = (table: string): string => `${table}_rows`;
export const groupView = (table: string): string => `${table}_groups`;
export const joinView = (table: string): string => `${table}_pairs`;

export function viewsOf(table: string): readonly View[] {
  return [
    { name: simpleView(table), query: rowsWhere(table, undefined, undefined, 'o'), updates: table },
    {
      name: groupView(table),
      query: {
        kind: 'select',
        items: items({ k: column('o', 'k'), n: count, s: sum('o') }),
        from: from(table, 'o'),
        groupBy: [column('o', 'k')],
      },
    },
    {
      name: joinView(table),
      query: {
        kind: 'select',
        items: items({ k: column('a', 'k'), v: column('b', 'v') }),
        from: {
          kind: 'join',
          type: 'inner',
          left: from(table, 'a'),
          right: from(table, 'b'),
          on: alike(column('a', 'k'), column('b', 'g')),
        },
      },
    },
  ];
}
