/** Generates the source of a select: one table, a join of two or three, a derived table, a view. */
import type { From, Random } from '../../../core/index.ts';
import type { GenerateOptions } from '../options.ts';
import type { Place } from '../context.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { addSubquery } from '../expression/subquery.ts';
import { scopeOf, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { joinCondition, selectOf, tableSource, type Source } from './table-source.ts';
import { pickTable } from '../focus.ts';
import { unionOf } from './union.ts';

export function generateSource(random: Random, place: Place): Source {
  return SOURCES[random.weighted(place.options.sources)](random, place);
}

const SOURCES: Readonly<Record<keyof GenerateOptions['sources'], (random: Random, place: Place) => Source>> = {
  table: (random, place) => tableSource(random, place, 'a0'),
  join: joinSource,
  derived: derivedSource,
  view: viewSource,
};

function viewSource(random: Random, place: Place): Source {
  const { options, views } = place;
  if (views.length === 0) return tableSource(random, place, 'a0');
  const view = random.pick(views);
  const scope = view.columns.map((info): ScopeColumn => ({ alias: 'a0', info }));
  const own = random.chance(0.6) ? generatePredicate(random, options, scope) : undefined;
  return { from: { kind: 'view', view: view.name, alias: 'a0' }, scope, where: addSubquery(random, place, scope, own, false) };
}

function joinSource(random: Random, place: Place): Source {
  const { options, tables, focus } = place;
  const count = random.chance(options.threeTableShare) ? 3 : 2;
  const start = pickTable(random, options, focus, tables);
  let from: From = { kind: 'table', table: start.table.name, alias: 'a0' };
  let scope: ScopeColumn[] = scopeOf(start, 'a0');
  let crossed = false;
  for (let i = 1; i < count; i++) {
    const info = random.pick(tables);
    const alias = `a${i}`;
    const own = scopeOf(info, alias);
    const type = random.weighted(options.joins);
    const on = joinCondition(random, scope, own, info);
    if (type === 'natural' || type === 'using') {
      // The left join may hold a name twice, so only the first of several can be one.
      const shared = i === 1 ? sharedJoin(random, place, start, type) : undefined;
      if (shared) {
        from = shared.from;
        scope = [...scope, ...scopeOf(shared.right, alias)];
        continue;
      }
    }
    // Two cross joins of tables that have grown would take most of a run's time.
    if (type === 'cross' && !crossed) {
      crossed = true;
      from = { kind: 'join', type, left: from, right: { kind: 'table', table: info.table.name, alias } };
    } else {
      const condition = on ?? generatePredicate(random, options, own);
      from = {
        kind: 'join',
        type: type === 'left' ? 'left' : 'inner',
        left: from,
        right: { kind: 'table', table: info.table.name, alias },
        on: condition,
      };
    }
    scope = [...scope, ...own];
  }
  const where = random.chance(0.7) ? generatePredicate(random, options, scope) : undefined;
  return { from, scope, where: addSubquery(random, place, scope, where, false) };
}

/**
 * Makes NATURAL or USING with a table whose columns of the same names are comparable. The table itself always
 * qualifies.
 */
function sharedJoin(
  random: Random,
  { tables }: Place,
  left: TableInfo,
  type: 'natural' | 'using',
): { readonly from: From; readonly right: TableInfo } | undefined {
  const named = (right: TableInfo): readonly (readonly [string, boolean])[] =>
    left.columns.flatMap((a) => right.columns.filter((b) => b.name === a.name).map((b) => [a.name, a.family === b.family] as const));
  const fitting = tables.filter((right) => {
    const pairs = named(right);
    return type === 'natural' ? pairs.length > 0 && pairs.every(([, same]) => same) : pairs.some(([, same]) => same);
  });
  if (fitting.length === 0) return undefined;
  const others = fitting.filter((right) => right !== left);
  const right = random.pick(others.length > 0 ? others : fitting);
  const common = named(right)
    .filter(([, same]) => same)
    .map(([name]) => name);
  const using = type === 'natural' ? common : common.slice(0, random.int(1, common.length));
  const from: From = {
    kind: 'join',
    type: random.chance(0.7) ? 'inner' : 'left',
    left: { kind: 'table', table: left.table.name, alias: 'a0' },
    right: { kind: 'table', table: right.table.name, alias: 'a1' },
    using,
    ...(type === 'natural' ? { natural: true } : {}),
  };
  return { from, right };
}

function derivedSource(random: Random, place: Place): Source {
  const { options } = place;
  const inner = random.chance(0.2) ? unionOf(random, place) : selectOf(random, place);
  const derived: From = { kind: 'derived', query: inner.query, alias: 'd0' };
  if (random.chance(0.7)) {
    return { from: derived, scope: inner.scope, where: random.chance(0.6) ? generatePredicate(random, options, inner.scope) : undefined };
  }
  const info = pickTable(random, options, place.focus, place.tables);
  const own = scopeOf(info, 'a0');
  const on = joinCondition(random, own, inner.scope, info) ?? generatePredicate(random, options, inner.scope);
  const from: From = {
    kind: 'join',
    type: random.chance(0.6) ? 'inner' : 'left',
    left: { kind: 'table', table: info.table.name, alias: 'a0' },
    right: derived,
    on,
  };
  const scope = [...own, ...inner.scope];
  return { from, scope, where: random.chance(0.4) ? generatePredicate(random, options, scope) : undefined };
}
