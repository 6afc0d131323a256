/**
 * Generates the smallest source of a query, one table with a condition, and the parts that larger sources are made of.
 */
import type { Expression, From, Query, Random, Select, SelectItem } from '../../../core/index.ts';
import { column } from '../expression/operand.ts';
import type { Place } from '../context.ts';
import { addSubquery } from '../expression/subquery.ts';
import { scopeOf, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { generateWhere, pickTable } from '../focus.ts';

/** A FROM, the columns that expressions over it may name, and a condition. */
export interface Source {
  readonly from: From;
  readonly scope: readonly ScopeColumn[];
  readonly where: Expression | undefined;
}

/** A query inside FROM or WITH, and its columns as the outer query sees them. */
export interface Inner {
  readonly query: Query;
  readonly scope: readonly ScopeColumn[];
}

export function tableSource(random: Random, place: Place, alias: string): Source {
  const { options, tables, focus } = place;
  const info = pickTable(random, options, focus, tables);
  const target = random.weighted(options.targets);
  const scope = scopeOf(info, alias);
  const where = addSubquery(random, place, scope, generateWhere(random, options, info, alias, focus, target), target === 'point');
  return { from: { kind: 'table', table: info.table.name, alias }, scope, where };
}

export function assemble(items: readonly SelectItem[], source: Source): Select {
  return { kind: 'select', items, from: source.from, ...(source.where ? { where: source.where } : {}) };
}

/** Returns some of the columns (often all of them), in any order. */
export function columnItems(random: Random, scope: readonly ScopeColumn[]): SelectItem[] {
  const chosen = random.chance(0.5) ? scope : random.shuffle(scope).slice(0, random.int(1, scope.length));
  return chosen.map((from, i) => ({ expression: column(from), alias: `r${i}` }));
}

/** Selects some columns of one table. */
export function selectOf(random: Random, place: Place): Inner {
  const source = tableSource(random, place, 'b0');
  const items = columnItems(random, source.scope);
  return outward(assemble(items, source), source.scope, items);
}

/**
 * Returns the columns of a query as the outer query sees them under the alias d0. The items are columns of the scope.
 */
export function outward(query: Query, scope: readonly ScopeColumn[], items: readonly SelectItem[]): Inner {
  const columns = items.map((item): ScopeColumn => {
    const expression = item.expression as Extract<Expression, { kind: 'column' }>;
    const from = scope.find((candidate) => candidate.alias === expression.table && candidate.info.name === expression.column)!;
    return { alias: 'd0', info: { ...from.info, name: item.alias } };
  });
  return { query, scope: columns };
}

/** Returns equality along a foreign key if there is one, else of two columns of one family. */
export function joinCondition(
  random: Random,
  left: readonly ScopeColumn[],
  right: readonly ScopeColumn[],
  info: Pick<TableInfo, 'table'>,
): Expression | undefined {
  const pairs = left.flatMap((a) =>
    right.filter((b) => b.info.family === a.info.family && a.info.family !== 'boolean').map((b) => [a, b] as const),
  );
  if (pairs.length === 0) return undefined;
  const along = pairs.filter(([a, b]) => a.info.foreignKey?.table === info.table.name || b.info.foreignKey !== undefined);
  const [a, b] = random.pick(along.length > 0 && random.chance(0.6) ? along : pairs);
  return { kind: 'compare', op: random.chance(0.85) ? '=' : '<=', left: column(a), right: column(b) };
}
