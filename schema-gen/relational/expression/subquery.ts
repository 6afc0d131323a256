/**
 * Generates subqueries as conditions and values: scalar, IN, EXISTS, NOT EXISTS, ANY, ALL over one other table (or the
 * same), with and without correlation. None may return two rows where one is allowed, so scalar ones are aggregates.
 */
import type { CompareOp, Expression, Random, Select } from '../../../core/index.ts';
import { column, constant } from './operand.ts';
import type { GenerateOptions } from '../options.ts';
import type { Place } from '../context.ts';
import { scopeOf, type ScopeColumn } from '../table-info.ts';
import { generateWhere } from '../focus.ts';

const COMPARISONS: readonly CompareOp[] = ['=', '<>', '<', '<=', '>', '>='];
const INNER = 's0';

interface Inside {
  readonly scope: readonly ScopeColumn[];
  /** Makes a SELECT of one expression over the inner table, its condition included. */
  select(expression: Expression): Select;
}

type Condition = (random: Random, outer: readonly ScopeColumn[], inside: Inside) => Expression | undefined;

/**
 * Adds a subquery beside the condition, in a share of the cases. `narrow` says that no further row may come to satisfy
 * it.
 */
export function addSubquery(
  random: Random,
  place: Place,
  scope: readonly ScopeColumn[],
  where: Expression | undefined,
  narrow: boolean,
  share: number = place.options.subqueryShare,
): Expression | undefined {
  if (share === 0 || !random.chance(share)) return where;
  const subquery = generateSubqueryCondition(random, place, scope);
  if (where === undefined) return subquery;
  return { kind: 'logic', op: narrow || random.chance(0.7) ? 'and' : 'or', operands: [where, subquery] };
}

function generateSubqueryCondition(random: Random, place: Place, outer: readonly ScopeColumn[]): Expression {
  const inside = generateInside(random, place, outer);
  const kind = random.weighted(place.options.subqueries);
  return CONDITIONS[kind](random, outer, inside) ?? CONDITIONS.exists(random, outer, inside)!;
}

/**
 * Returns the least or greatest value of the family in a table. It is undefined if no table has one or it has no order.
 */
export function generateScalar(random: Random, place: Place, outer: readonly ScopeColumn[], like: ScopeColumn): Expression | undefined {
  const inside = generateInside(random, place, outer);
  return extreme(random, like, inside);
}

const CONDITIONS: Readonly<Record<keyof GenerateOptions['subqueries'], Condition>> = {
  scalar: (random, outer, inside) => {
    const like = random.pick(outer);
    const value = random.chance(0.6) ? extreme(random, like, inside) : undefined;
    if (value) return { kind: 'compare', op: random.pick(COMPARISONS), left: column(like), right: value };
    const count: Expression = { kind: 'subquery', query: inside.select({ kind: 'aggregate', name: 'count' }) };
    return { kind: 'compare', op: random.pick(COMPARISONS), left: count, right: constant('bigint', String(random.int(0, 3))) };
  },
  in: (random, outer, inside) => {
    const pair = pairOf(random, outer, inside.scope);
    return pair && { kind: 'inQuery', operand: column(pair[0]), query: inside.select(column(pair[1])), negated: random.chance(0.3) };
  },
  exists: (random, _outer, inside) => ({ kind: 'exists', query: inside.select(column(random.pick(inside.scope))), negated: false }),
  notExists: (random, _outer, inside) => ({ kind: 'exists', query: inside.select(column(random.pick(inside.scope))), negated: true }),
  any: (random, outer, inside) => quantified(random, outer, inside, 'any'),
  all: (random, outer, inside) => quantified(random, outer, inside, 'all'),
};

function quantified(random: Random, outer: readonly ScopeColumn[], inside: Inside, quantifier: 'any' | 'all'): Expression | undefined {
  const pair = pairOf(random, outer, inside.scope);
  if (!pair) return undefined;
  const op = pair[0].info.family === 'boolean' ? random.pick(['=', '<>'] as const) : random.pick(COMPARISONS);
  return { kind: 'quantified', op, quantifier, operand: column(pair[0]), query: inside.select(column(pair[1])) };
}

function generateInside(random: Random, place: Place, outer: readonly ScopeColumn[]): Inside {
  const { options, tables, focus } = place;
  const info = random.pick(tables);
  const scope = scopeOf(info, INNER);
  const pair = random.chance(options.correlatedShare) ? pairOf(random, outer, scope) : undefined;
  const own = generateWhere(random, options, info, INNER, focus, random.weighted(options.targets));
  const correlation: Expression | undefined = pair && { kind: 'compare', op: '=', left: column(pair[1]), right: column(pair[0]) };
  const where: Expression | undefined =
    correlation && own && random.chance(0.5) ? { kind: 'logic', op: 'and', operands: [correlation, own] } : (correlation ?? own);
  return {
    scope,
    select: (expression) => ({
      kind: 'select',
      items: [{ expression, alias: 'r0' }],
      from: { kind: 'table', table: info.table.name, alias: INNER },
      ...(where ? { where } : {}),
    }),
  };
}

function extreme(random: Random, like: ScopeColumn, inside: Inside): Expression | undefined {
  const candidates = inside.scope.filter((from) => from.info.family === like.info.family && from.info.family !== 'boolean');
  if (candidates.length === 0) return undefined;
  const name = random.chance(0.5) ? 'min' : 'max';
  return { kind: 'subquery', query: inside.select({ kind: 'aggregate', name, operand: column(random.pick(candidates)) }) };
}

function pairOf(
  random: Random,
  outer: readonly ScopeColumn[],
  inner: readonly ScopeColumn[],
): readonly [ScopeColumn, ScopeColumn] | undefined {
  const pairs = outer.flatMap((a) => inner.filter((b) => b.info.family === a.info.family).map((b) => [a, b] as const));
  return pairs.length > 0 ? random.pick(pairs) : undefined;
}
