/**
 * Generates INSERT, UPDATE and DELETE that mostly succeed. New keys are new in the whole case, references name rows
 * that exist at the start, and a NOT NULL column never gets a value that may be NULL. Failures on constraints remain
 * possible.
 */
import type { Assignment, Delete, Expression, ForeignKey, Insert, Random, Update, Value } from '../../../core/index.ts';
import type { Domains } from '../schema/domain.ts';
import { generateValue } from '../expression/expression.ts';
import { constant, literal } from '../expression/operand.ts';
import type { GenerateOptions } from '../options.ts';
import type { Place } from '../context.ts';
import { addSubquery, generateScalar } from '../expression/subquery.ts';
import { scopeOf, type ColumnInfo, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { generatePoint, generateWhere, pickTable, type Target } from '../focus.ts';

export interface WritePlace extends Place {
  readonly domains: Domains;
  /** Returns a number that was not used before in this case. */
  fresh(): number;
}

export function generateInsert(random: Random, place: WritePlace): Insert {
  const { options } = place;
  const info = pickTable(random, options, place.focus, place.tables);
  const columns = insertColumns(random, info);
  const count = random.chance(options.multiRowShare) ? random.int(2, 3) : 1;
  // Two rows of one statement that draw one small key would fail against each other.
  const smallKey = random.chance(options.smallKeyShare);
  const rows = Array.from({ length: count }, (_, i) => insertRow(random, place, info, columns, smallKey && i === 0));
  return { kind: 'insert', table: info.table.name, columns: columns.map((column) => column.name), rows };
}

export function generateUpdate(random: Random, place: WritePlace): Update {
  const { options } = place;
  const info = pickTable(random, options, place.focus, place.tables);
  const table = info.table.name;
  const free = freeColumns(info.columns);
  const keyed = info.columns.filter((column) => column.fresh);
  const point = generatePoint(random, options, info, table, place.focus);
  if (keyed.length > 0 && point && (free.length === 0 || random.chance(options.keyUpdateShare))) {
    const column = random.pick(keyed);
    return { kind: 'update', table, set: [{ column: column.name, value: movedTo(random, place, column) }], where: point };
  }
  const assignable = free.length > 0 ? free : info.columns.filter((column) => !column.identity && !column.generated);
  const scope = scopeOf(info, table);
  const set = generateSet(random, place, assignable, scope);
  const target = random.weighted(options.targets);
  const aimed = target === 'point' && point ? point : generateWhere(random, options, info, table, place.focus, target);
  const where = addSubquery(random, place, scope, aimed, target === 'point', options.writeSubqueryShare);
  return { kind: 'update', table, set, ...(where ? { where } : {}) };
}

export function generateDelete(random: Random, place: WritePlace): Delete {
  const { options } = place;
  const first = pickTable(random, options, place.focus, place.tables);
  // A row that others refer to can often not be deleted, so its table is avoided most of the time.
  const info = first.pinned && random.chance(0.8) ? (place.tables.find((other) => !other.pinned) ?? first) : first;
  const target: Target = random.weighted(options.deleteTargets);
  const table = info.table.name;
  const where = addSubquery(
    random,
    place,
    scopeOf(info, table),
    generateWhere(random, options, info, table, place.focus, target),
    true,
    options.writeSubqueryShare,
  );
  return { kind: 'delete', table, ...(where ? { where } : {}) };
}

/** Returns a key that no row had, one that a row may have, or NULL. */
function movedTo(random: Random, place: WritePlace, column: ColumnInfo): Expression {
  const { keyReturnShare } = place.options;
  if (isNullKey(random, place.options, column)) return constant(column.type.kind, null);
  const returns = keyReturnShare > 0 && random.chance(keyReturnShare);
  return returns ? constant(column.type.kind, random.pick(column.domain)) : freshValue(place, column);
}

/** Makes one assignment or two. Values come from the columns in scope. */
export function generateSet(
  random: Random,
  place: WritePlace,
  assignable: readonly ColumnInfo[],
  scope: readonly ScopeColumn[],
): Assignment[] {
  const chosen = random.chance(0.7) ? [random.pick(assignable)] : random.shuffle(assignable).slice(0, 2);
  return chosen.map((column): Assignment => ({ column: column.name, value: assigned(random, place, scope, column) }));
}

/** Returns the columns that an UPDATE may change without much risk. */
export function freeColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  return columns.filter((column) => !column.unique && !column.identity && !column.generated && !isComposite(column.foreignKey));
}

/**
 * Returns all columns but those that the server gives values. Some of the optional ones are left out, a foreign key's
 * together.
 */
export function insertColumns(random: Random, info: TableInfo): readonly ColumnInfo[] {
  const givable = info.columns.filter((column) => !column.identity && !column.generated);
  const kept = givable.filter((column) => {
    const needed = column.unique || column.foreignKey !== undefined || (!column.nullable && !column.hasDefault);
    return needed || random.chance(0.85);
  });
  return kept.length > 0 ? kept : givable;
}

export function insertRow(
  random: Random,
  place: WritePlace,
  info: TableInfo,
  columns: readonly ColumnInfo[],
  smallKey: boolean,
): Expression[] {
  const { options } = place;
  const references = new Map<ForeignKey, readonly Value[] | undefined>();
  for (const [key, parents] of info.parents) {
    const nullable = key.columns.every((name) => info.columns.find((column) => column.name === name)!.nullable);
    const none = parents.length === 0 || (nullable && random.chance(options.nullShare));
    references.set(key, none ? undefined : random.pick(parents));
  }
  return columns.map((column) => {
    const kind = column.type.kind;
    if (column.foreignKey) {
      if (options.absentShare > 0 && random.chance(options.absentShare)) return constant(kind, random.pick(column.domain));
      const parent = references.get(column.foreignKey);
      if (parent) return constant(kind, parent[column.foreignKey.columns.indexOf(column.name)]!);
      return constant(kind, column.nullable ? null : random.pick(column.domain));
    }
    if (isNullKey(random, options, column)) return constant(kind, null);
    if (column.fresh && !smallKey) return freshValue(place, column);
    // The key of an initial row restores one that was deleted, or conflicts with one that was not.
    if (column.unique) return literal(random, options, column);
    if (column.hasDefault && random.chance(0.1)) return { kind: 'default' };
    if (column.nullable && random.chance(options.nullShare)) return constant(kind, null);
    return literal(random, options, column);
  });
}

/** Only a UNIQUE column can be NULL: a primary key cannot. */
function isNullKey(random: Random, { nullKeyShare }: GenerateOptions, column: ColumnInfo): boolean {
  return nullKeyShare > 0 && column.unique && column.nullable && random.chance(nullKeyShare);
}

export function freshValue(place: WritePlace, column: ColumnInfo): Expression {
  return constant(column.type.kind, place.domains.fresh(column.type, place.fresh()) ?? null);
}

function assigned(random: Random, place: WritePlace, scope: readonly ScopeColumn[], column: ColumnInfo): Expression {
  const { options } = place;
  const { kind } = column.type;
  if (column.nullable && random.chance(options.nullShare)) return constant(kind, null);
  if (column.foreignKey) {
    if (column.seen.length === 0 && column.nullable) return constant(kind, null);
    return constant(kind, random.pick(column.seen.length > 0 ? column.seen : column.domain));
  }
  if (column.unique) return constant(kind, random.pick(column.domain));
  if (column.hasDefault && random.chance(weightShare(options))) return { kind: 'default' };
  if (options.subqueryValueShare > 0 && random.chance(options.subqueryValueShare)) {
    const scalar = generateScalar(random, place, scope, { alias: '', info: column });
    if (scalar) return fitting({ kind: 'call', name: 'coalesce', args: [scalar, literal(random, options, column)] }, column);
  }
  const columns = column.nullable ? scope : scope.filter((from) => !from.info.nullable);
  // Most computed values start from the column itself, because the lost update needs a read-modify-write.
  const own = columns.filter((from) => from.info === column);
  const request = {
    family: column.family,
    columns: own.length > 0 && random.chance(0.7) ? own : columns,
    scope,
    literals: column,
    stored: true,
  };
  return fitting(generateValue(random, options, request), column);
}

function weightShare({ values }: GenerateOptions): number {
  const total = Object.values(values).reduce((sum, weight) => sum + weight, 0);
  return values.default / total;
}

/** Another column's text may be longer than this column allows. */
export function fitting(value: Expression, { type }: ColumnInfo): Expression {
  if (type.kind !== 'varchar' || value.kind === 'literal' || (value.kind === 'call' && value.name === 'right')) return value;
  return { kind: 'call', name: 'right', args: [value, constant('integer', type.length)] };
}

function isComposite(key: ForeignKey | undefined): boolean {
  return key !== undefined && key.columns.length > 1;
}
