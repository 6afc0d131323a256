/**
 * Generates writes that use other tables: UPDATE ... FROM, DELETE ... USING, UPDATE through a view, and writes of rows
 * that a foreign key with an action refers to.
 */
import type { Delete, Expression, ForeignKey, From, Random, Update } from '../../../core/index.ts';
import { column } from '../expression/operand.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { addSubquery } from '../expression/subquery.ts';
import { scopeOf, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { joinCondition } from '../query/table-source.ts';
import { generatePoint, generateWhere, pickTable } from '../focus.ts';
import { fitting, freeColumns, freshValue, generateDelete, generateSet, generateUpdate, type WritePlace } from './write.ts';

const OTHER = 'a0';

interface Partner {
  readonly from: From;
  readonly on: Expression;
  readonly scope: readonly ScopeColumn[];
  /** No row of the target has two partners, so the partner's values may be assigned. */
  readonly single: boolean;
}

export function generateUpdateFrom(random: Random, place: WritePlace): Update {
  const { options, focus } = place;
  const info = tableWithFree(random, place);
  if (!info) return generateUpdate(random, place);
  const table = info.table.name;
  const scope = scopeOf(info, table);
  const partner = partnerOf(random, place, info);
  const target = random.weighted(options.targets);
  const aimed =
    (target === 'point' ? generatePoint(random, place.options, info, table, focus) : undefined) ??
    generateWhere(random, options, info, table, focus, target);
  const where = addSubquery(random, place, scope, all(partner.on, aimed), true, options.writeSubqueryShare);
  const free = freeColumns(info.columns);
  const to = random.pick(free);
  const sources = partner.scope.filter((from) => from.info.family === to.family && (to.nullable || !from.info.nullable));
  const copy = partner.single && !to.foreignKey && sources.length > 0 && random.chance(0.7);
  const set = copy ? [{ column: to.name, value: fitting(column(random.pick(sources)), to) }] : generateSet(random, place, free, scope);
  return { kind: 'update', table, set, from: partner.from, ...(where ? { where } : {}) };
}

export function generateDeleteUsing(random: Random, place: WritePlace): Delete {
  const { options, focus } = place;
  const first = pickTable(random, options, focus, place.tables);
  const info = first.pinned && random.chance(0.8) ? (place.tables.find((other) => !other.pinned) ?? first) : first;
  const table = info.table.name;
  const partner = partnerOf(random, place, info);
  const aimed = generateWhere(random, options, info, table, focus, random.weighted(options.deleteTargets));
  const where = addSubquery(random, place, scopeOf(info, table), all(partner.on, aimed), true, options.writeSubqueryShare);
  return { kind: 'delete', table, using: partner.from, ...(where ? { where } : {}) };
}

export function generateViewUpdate(random: Random, place: WritePlace): Update {
  const { options, views, focus } = place;
  const usable = views.filter((view) => view.base && freeColumns(view.columns).length > 0);
  if (usable.length === 0 || options.updatableViewShare === 0) return generateUpdate(random, place);
  const own = usable.filter((view) => view.base === focus.table);
  const view = random.pick(own.length > 0 && random.chance(options.focusShare) ? own : usable);
  const base = view.base!;
  const scope = view.columns.map((info): ScopeColumn => ({ alias: view.name, info }));
  const target = random.weighted(options.targets);
  const point = target === 'point' ? generatePoint(random, place.options, base, view.name, focus) : undefined;
  const aimed = point ?? (target === 'all' ? undefined : generatePredicate(random, options, scope));
  const where = addSubquery(random, place, scope, aimed, point !== undefined, options.writeSubqueryShare);
  return {
    kind: 'update',
    table: base.table.name,
    through: view.name,
    set: generateSet(random, place, freeColumns(view.columns), scope),
    ...(where ? { where } : {}),
  };
}

/**
 * Generates a DELETE, or an UPDATE of the key, of one row. Without a foreign key with an action it is an ordinary
 * write.
 */
export function generateParentWrite(random: Random, place: WritePlace): Update | Delete {
  const { tables, focus } = place;
  const keys = tables
    .flatMap((child) => child.table.foreignKeys)
    .filter((key) => key.onDelete !== 'no action' || key.onUpdate !== 'no action');
  if (keys.length === 0) return random.chance(0.7) ? generateUpdate(random, place) : generateDelete(random, place);
  const key = random.pick(keys);
  const info = tables.find((candidate) => candidate.table.name === key.table)!;
  const table = info.table.name;
  const where =
    generatePoint(random, place.options, info, table, focus) ?? generateWhere(random, place.options, info, table, focus, 'any')!;
  const changed = key.onUpdate === 'no action' ? undefined : changeable(info, key);
  if (changed && (key.onDelete === 'no action' || random.chance(0.6)))
    return { kind: 'update', table, set: [{ column: changed.name, value: freshValue(place, changed) }], where };
  return { kind: 'delete', table, where };
}

function changeable(info: TableInfo, key: ForeignKey): TableInfo['columns'][number] | undefined {
  return info.columns.find((from) => key.references.includes(from.name) && from.fresh);
}

function tableWithFree(random: Random, place: WritePlace): TableInfo | undefined {
  const info = pickTable(random, place.options, place.focus, place.tables);
  return freeColumns(info.columns).length > 0 ? info : place.tables.find((other) => freeColumns(other.columns).length > 0);
}

/** Returns another table, or the same under another name, joined by its key if possible. */
function partnerOf(random: Random, { options, tables }: WritePlace, info: TableInfo): Partner {
  const other = random.pick(tables);
  const scope = scopeOf(other, OTHER);
  const own = scopeOf(info, info.table.name);
  const from: From = { kind: 'table', table: other.table.name, alias: OTHER };
  const { primaryKey } = other.table;
  const pairs = own.flatMap((a) =>
    scope
      .filter((b) => primaryKey.length === 1 && primaryKey[0] === b.info.name && a.info.family === b.info.family)
      .map((b) => [a, b] as const),
  );
  if (pairs.length > 0 && random.chance(0.7)) {
    const [a, b] = random.pick(pairs);
    return { from, on: { kind: 'compare', op: '=', left: column(a), right: column(b) }, scope, single: true };
  }
  return { from, on: joinCondition(random, own, scope, other) ?? generatePredicate(random, options, scope), scope, single: false };
}

function all(first: Expression, second: Expression | undefined): Expression {
  return second === undefined ? first : { kind: 'logic', op: 'and', operands: [first, second] };
}
