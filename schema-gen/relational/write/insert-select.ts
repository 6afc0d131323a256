/**
 * Generates INSERT ... SELECT from one table into another or itself. Into a table with keys it copies one row under a
 * new key. If a single whole-number key is the only one, it copies a range of rows, and shifts each key by one distance
 * that no other statement uses.
 */
import type { Expression, ForeignKey, Insert, Query, Random, Value } from '../../../core/index.ts';
import { column, constant, literal } from '../expression/operand.ts';
import { scopeOf, type ColumnInfo, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { generatePoint, generateWhere, pickTable } from '../focus.ts';
import { addSubquery } from '../expression/subquery.ts';
import { fitting, freshValue, insertColumns, type WritePlace } from './write.ts';

const FROM = 'a0';
/** Keys beyond it are not shifted again, so that no chain of copies leaves the type. */
const LAST = 9000;

export function generateInsertSelect(random: Random, place: WritePlace): Insert {
  const { options, tables, focus } = place;
  const info = pickTable(random, options, focus, tables);
  const other = random.pick(tables);
  const columns = insertColumns(random, info);
  const scope = scopeOf(other, FROM);
  const move = moved(random, info, other);
  const keyed = info.columns.some((from) => from.unique && !from.identity);
  const target = random.weighted(options.targets);
  const point = generatePoint(random, options, other, FROM, focus);
  const aimed =
    (keyed && !move) || target === 'point' ? point : generateWhere(random, options, other, FROM, focus, target === 'all' ? 'any' : target);
  const bounded: Expression | undefined =
    move && and(aimed, { kind: 'compare', op: '<', left: column(move.by), right: whole(move.by.info, LAST) });
  const where = addSubquery(random, place, scope, bounded ?? aimed, true, options.writeSubqueryShare);
  const distance = move && place.fresh() * 1000 + 10_000;
  const references = parentsOf(random, info);
  const items = columns.map((to, i) => {
    const shifted = move?.key === to && distance !== undefined;
    const expression: Expression = shifted
      ? { kind: 'arithmetic', op: '+', left: column(move.by), right: whole(to, distance) }
      : valueOf(random, place, scope, to, references);
    return { expression, alias: `r${i}` };
  });
  const query: Query = {
    kind: 'select',
    items,
    from: { kind: 'table', table: other.table.name, alias: FROM },
    ...(where ? { where } : {}),
  };
  return { kind: 'insert', table: info.table.name, columns: columns.map(({ name }) => name), rows: [], query };
}

/** Returns the only key of the target and a unique column of the source that its new values are made from. */
function moved(random: Random, info: TableInfo, other: TableInfo): { readonly key: ColumnInfo; readonly by: ScopeColumn } | undefined {
  const unique = info.columns.filter((from) => from.unique && !from.identity);
  const key = unique[0];
  if (unique.length !== 1 || !key?.fresh || (key.family !== 'integer' && key.family !== 'bigint')) return undefined;
  const { primaryKey } = other.table;
  const by = scopeOf(other, FROM).filter(
    (from) => from.info.family === key.family && primaryKey.length === 1 && primaryKey[0] === from.info.name,
  );
  return by.length > 0 ? { key, by: random.pick(by) } : undefined;
}

function valueOf(
  random: Random,
  place: WritePlace,
  scope: readonly ScopeColumn[],
  to: ColumnInfo,
  references: ReadonlyMap<ForeignKey, readonly Value[] | undefined>,
): Expression {
  const { kind } = to.type;
  if (to.foreignKey) return constant(kind, references.get(to.foreignKey)?.[to.foreignKey.columns.indexOf(to.name)] ?? null);
  if (to.fresh) return freshValue(place, to);
  const candidates = scope.filter((from) => from.info.family === to.family && (to.nullable || !from.info.nullable));
  if (candidates.length > 0 && random.chance(0.75)) return fitting(column(random.pick(candidates)), to);
  return literal(random, place.options, to);
}

function parentsOf(random: Random, info: TableInfo): ReadonlyMap<ForeignKey, readonly Value[] | undefined> {
  return new Map([...info.parents].map(([key, parents]) => [key, parents.length > 0 ? random.pick(parents) : undefined] as const));
}

function whole(info: ColumnInfo, value: number): Expression {
  return constant(info.type.kind, info.type.kind === 'integer' ? value : String(value));
}

function and(a: Expression | undefined, b: Expression): Expression {
  return a === undefined ? b : { kind: 'logic', op: 'and', operands: [a, b] };
}
