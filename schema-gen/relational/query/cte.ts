/**
 * Generates WITH: a query under a name, read once or twice, and recursive ones that end. These are a counter with an
 * upper bound, and a walk from row to row that either drops rows it has seen (UNION) or counts its steps (UNION ALL).
 * Nothing here may multiply. A walk over a column where values repeat, or a join of repeated rows with themselves,
 * grows with the cube of the table and beyond. One such statement in a stress run outweighs all others. Therefore only
 * a walk by a unique column keeps repetitions, and only a query without repetitions is joined to itself.
 */
import type { Expression, From, Random, Select, SelectItem, SetOperation, TypeKind } from '../../../core/index.ts';
import { column, constant } from '../expression/operand.ts';
import type { Place } from '../context.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { scopeOf, type ColumnInfo, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { assemble, columnItems, joinCondition, selectOf, type Inner, type Source } from './table-source.ts';
import { generateWhere, pickTable } from '../focus.ts';
import { unionOf } from './union.ts';

const NAME = 'w0';

export function generateCte(random: Random, place: Place): Select {
  const inner = random.chance(0.2) ? unionOf(random, place) : selectOf(random, place);
  return around(random, place, inner, { recursive: false, twice: true });
}

export function generateRecursive(random: Random, place: Place): Select {
  const info = pickTable(random, place.options, place.focus, place.tables);
  const number = info.columns.find(({ family }) => family === 'integer' || family === 'bigint');
  const inner = number && random.chance(0.4) ? counter(random, place, info, number) : walk(random, place, info);
  return around(random, place, inner, { recursive: true, twice: inner.query.kind === 'setOperation' && !inner.query.all });
}

/** Reads the CTE alone, joined to a table, or joined to itself if allowed (`twice`). */
function around(random: Random, place: Place, inner: Inner, may: { readonly recursive: boolean; readonly twice: boolean }): Select {
  const { options, tables, focus } = place;
  const own: From = { kind: 'cte', name: NAME, alias: 'd0' };
  const condition = (scope: readonly ScopeColumn[], share: number): Expression | undefined =>
    random.chance(share) ? generatePredicate(random, options, scope) : undefined;
  const source = ((): Source => {
    if (random.chance(0.5)) return { from: own, scope: inner.scope, where: condition(inner.scope, 0.6) };
    const twice = random.chance(0.3) && may.twice;
    const info = pickTable(random, options, focus, tables);
    const right: From = twice ? { kind: 'cte', name: NAME, alias: 'd1' } : { kind: 'table', table: info.table.name, alias: 'a0' };
    const others = twice ? inner.scope.map((from) => ({ ...from, alias: 'd1' })) : scopeOf(info, 'a0');
    const on = joinCondition(random, inner.scope, others, info) ?? generatePredicate(random, options, others);
    const scope = [...inner.scope, ...others];
    return {
      from: { kind: 'join', type: random.chance(0.7) ? 'inner' : 'left', left: own, right, on },
      scope,
      where: condition(scope, 0.4),
    };
  })();
  return {
    ...assemble(columnItems(random, source.scope), source),
    with: { recursive: may.recursive, ctes: [{ name: NAME, query: inner.query }] },
  };
}

/** Counts r0, r0 + 1, ... below a bound. */
function counter(random: Random, place: Place, info: TableInfo, from: ColumnInfo): Inner {
  const { options, focus } = place;
  const bound = random.int(4, 12);
  const number = (value: number): Expression => constant(from.family, from.family === 'integer' ? value : String(value));
  const start: ScopeColumn = { alias: 'b0', info: from };
  const again: Expression = { kind: 'column', table: NAME, column: 'r0' };
  const where = generateWhere(random, options, info, 'b0', focus, random.weighted(options.targets));
  const query = recursion(
    {
      kind: 'select',
      items: [item(column(start), 0)],
      from: { kind: 'table', table: info.table.name, alias: 'b0' },
      ...(where ? { where } : {}),
    },
    {
      kind: 'select',
      items: [item({ kind: 'arithmetic', op: '+', left: again, right: number(1) }, 0)],
      from: { kind: 'cte', name: NAME, alias: NAME },
      where: { kind: 'compare', op: '<', left: again, right: number(bound) },
    },
    random.chance(0.5),
  );
  return { query, scope: [outside(from, 0)] };
}

/** Walks from the target rows to those whose `next` column holds the `own` value of one before. */
function walk(random: Random, place: Place, info: TableInfo): Inner {
  const { options, focus } = place;
  const pairs = info.columns.flatMap((next) =>
    info.columns.filter((own) => own.family === next.family && own.family !== 'boolean').map((own) => [own, next] as const),
  );
  const own = pairs.length > 0 ? undefined : info.columns[0]!;
  const [to, by] = own ? [own, own] : random.pick(pairs.some(([a, b]) => a !== b) ? pairs.filter(([a, b]) => a !== b) : pairs);
  const all = random.chance(0.5) && identifies(info, by);
  const value = (alias: string): Expression => bare({ kind: 'column', table: alias, column: to.name }, to.family);
  const depth: Expression = { kind: 'column', table: NAME, column: 'r1' };
  const where = generateWhere(random, options, info, 'b0', focus, random.weighted(options.targets));
  const next: From = {
    kind: 'join',
    type: 'inner',
    left: { kind: 'table', table: info.table.name, alias: 'b1' },
    right: { kind: 'cte', name: NAME, alias: NAME },
    on: {
      kind: 'compare',
      op: '=',
      left: { kind: 'column', table: 'b1', column: by.name },
      right: { kind: 'column', table: NAME, column: 'r0' },
    },
  };
  const first = all ? [item(constant('integer', 0), 1)] : [];
  const step = all ? [item({ kind: 'arithmetic', op: '+', left: depth, right: constant('integer', 1) }, 1)] : [];
  const query = recursion(
    {
      kind: 'select',
      items: [item(value('b0'), 0), ...first],
      from: { kind: 'table', table: info.table.name, alias: 'b0' },
      ...(where ? { where } : {}),
    },
    {
      kind: 'select',
      items: [item(value('b1'), 0), ...step],
      from: next,
      ...(all ? { where: { kind: 'compare', op: '<', left: depth, right: constant('integer', 2) } } : {}),
    },
    all,
  );
  return { query, scope: [outside(to, 0)] };
}

/** Tells whether no two rows have the same value in it. */
function identifies({ table }: TableInfo, { name }: ColumnInfo): boolean {
  return [table.primaryKey, ...table.uniques].some((columns) => columns.length === 1 && columns[0] === name);
}

function recursion(left: Select, right: Select, all: boolean): SetOperation {
  return { kind: 'setOperation', op: 'union', all, left, right };
}

/** Casts without length or scale, because both sides of a recursion must have the very same type. */
function bare(operand: Expression, type: TypeKind): Expression {
  return { kind: 'cast', operand, type };
}

function item(expression: Expression, i: number): SelectItem {
  return { expression, alias: `r${i}` };
}

function outside(info: ColumnInfo, i: number): ScopeColumn {
  return { alias: 'd0', info: { ...info, name: `r${i}` } };
}
