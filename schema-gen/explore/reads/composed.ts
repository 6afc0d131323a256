/** Reads by one SELECT of several parts: subqueries, joins, set operations, views. */
import type { From, Select, SetOperation } from '../../../core/index.ts';
import { alike, at, column, compare, count, exists, from, hasNumber, items, joinsItself, plus, rowsWhere, single, sum } from '../form.ts';
import type { Form, Site } from '../form.ts';
import { groupView, joinView, simpleView } from '../views.ts';

/** Selects the item's key, if the item is present. */
const keyOf = (site: Site): Select => ({
  ...rowsWhere(site.item.table, at(site, 'o'), undefined, 'o'),
  items: items({ k: column('o', 'k') }),
});
const valueOf = (site: Site): Select => ({
  ...rowsWhere(site.item.table, at(site, 'o'), undefined, 'o'),
  items: items({ v: column('o', 'v') }),
});
const through = (view: string, columns: readonly string[], { item }: Site): Select => ({
  kind: 'select',
  items: items(Object.fromEntries(columns.map((name) => [name, column('o', name)]))),
  from: { kind: 'view', view, alias: 'o' },
  where: compare('o', 'k', '=', item.key),
});
const hasViews: Form['fits'] = (_, { fixture }) => fixture.views !== undefined;

export const COMPOSED: readonly Form[] = [
  { name: 'exists', make: (site) => single(site.item.table, 'n', count, exists(keyOf(site))) },
  {
    name: 'in a subquery',
    make: (site) => ({
      ...rowsWhere(
        site.item.table,
        {
          kind: 'inQuery',
          operand: column('o', 'k'),
          negated: false,
          query: single(site.item.table, 'k', column(site.item.table, 'k'), at(site)),
        },
        undefined,
        'o',
      ),
    }),
  },
  {
    name: 'any of a subquery',
    make: (site) =>
      rowsWhere(
        site.item.table,
        { kind: 'quantified', op: '=', quantifier: 'any', operand: column('a', 'k'), query: keyOf(site) },
        undefined,
        'a',
      ),
  },
  {
    name: 'all of a subquery',
    make: (site) =>
      rowsWhere(
        site.item.table,
        { kind: 'quantified', op: '>=', quantifier: 'all', operand: column('a', 'v'), query: valueOf(site) },
        undefined,
        'a',
      ),
  },
  {
    name: 'a subquery as a value',
    make: (site) => ({
      kind: 'select',
      items: items({ n: count, v: { kind: 'subquery', query: valueOf(site) } }),
      from: from(site.fixture.log),
    }),
  },
  {
    name: 'join',
    fits: joinsItself,
    make: ({ item }) => ({
      kind: 'select',
      items: items({ k: column('a', 'k'), v: column('b', 'v') }),
      where: compare('a', 'k', '=', item.key),
      from: {
        kind: 'join',
        type: 'inner',
        left: from(item.table, 'a'),
        right: from(item.table, 'b'),
        on: alike(column('a', 'k'), column('b', 'g')),
      },
    }),
  },
  {
    name: 'outer join',
    make: (site) => ({
      kind: 'select',
      items: items({ n: column('a', 'n'), k: column('b', 'k'), v: column('b', 'v') }),
      from: {
        kind: 'join',
        type: 'left',
        left: { kind: 'derived', query: single(site.fixture.log, 'n', count), alias: 'a' },
        right: from(site.item.table, 'b'),
        on: at(site, 'b'),
      },
    }),
  },
  {
    name: 'derived table',
    make: (site) => ({
      kind: 'select',
      items: items({ n: count, s: sum('d') }),
      from: { kind: 'derived', query: rowsWhere(site.item.table, at(site, 'o'), undefined, 'o'), alias: 'd' },
    }),
  },
  {
    name: 'lateral table',
    fits: joinsItself,
    needs: ({ unsupported = [] }) => !unsupported.includes('lateral'),
    make: (site) => {
      const { table } = site.item;
      const beside: From = {
        kind: 'derived',
        query: {
          kind: 'select',
          items: items({ n: count, s: sum('b') }),
          from: from(table, 'b'),
          where: alike(column('b', 'g'), column('a', 'k')),
        },
        alias: 'd',
        lateral: true,
      };
      return {
        kind: 'select',
        items: items({ k: column('a', 'k'), n: column('d', 'n'), s: column('d', 's') }),
        from: { kind: 'join', type: 'cross', left: from(table, 'a'), right: beside },
        where: at(site, 'a'),
      };
    },
  },
  {
    name: 'common table',
    make: (site) => ({
      kind: 'select',
      with: { recursive: false, ctes: [{ name: 'c', query: rowsWhere(site.item.table, at(site)) }] },
      items: items({ n: count, s: sum('c') }),
      from: { kind: 'cte', name: 'c', alias: 'c' },
    }),
  },
  {
    name: 'recursive common table',
    fits: hasNumber,
    make: (site) => ({
      kind: 'select',
      with: { recursive: true, ctes: [{ name: 'c', query: onward(site) }] },
      items: items({ n: count, s: sum('c') }),
      from: { kind: 'cte', name: 'c', alias: 'c' },
    }),
  },
  {
    name: 'union',
    make: (site) => ({
      kind: 'unionAll',
      arms: [rowsWhere(site.item.table, at(site)), rowsWhere(site.item.table, compare(site.item.table, 'k', '=', site.item.key + 1))],
    }),
  },
  {
    name: 'intersect',
    make: (site) => ({
      kind: 'setOperation',
      op: 'intersect',
      all: false,
      left: rowsWhere(site.item.table, at(site)),
      right: rowsWhere(site.item.table),
    }),
  },
  {
    name: 'except',
    make: (site) => ({
      kind: 'setOperation',
      op: 'except',
      all: false,
      left: rowsWhere(site.item.table, compare(site.item.table, 'k', '>=', site.item.key)),
      right: rowsWhere(site.item.table, compare(site.item.table, 'k', '>', site.item.key)),
    }),
  },
  { name: 'through a view', fits: hasViews, make: (site) => through(simpleView(site.item.table), ['k', 'g', 'v'], site) },
  { name: 'through a view of groups', fits: hasViews, make: (site) => through(groupView(site.item.table), ['k', 'n', 's'], site) },
  { name: 'through a view of a join', fits: hasViews, make: (site) => through(joinView(site.item.table), ['k', 'v'], site) },
];

/** Selects the item, and goes from each row to the one whose key is next. */
function onward(site: Site): SetOperation {
  const { table } = site.item;
  return {
    kind: 'setOperation',
    op: 'union',
    all: true,
    left: { ...rowsWhere(table, at(site, 'a'), undefined, 'a'), items: items({ k: column('a', 'k'), v: column('a', 'v') }) },
    right: {
      kind: 'select',
      items: items({ k: column('b', 'k'), v: column('b', 'v') }),
      from: {
        kind: 'join',
        type: 'inner',
        left: { kind: 'cte', name: 'c', alias: 'e' },
        right: from(table, 'b'),
        on: alike(column('b', 'k'), plus('e', 'k', 1)),
      },
    },
  };
}
