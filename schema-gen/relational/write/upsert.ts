/**
 * Generates INSERT ... ON CONFLICT. The first row mostly has the key of an initial row, so that it conflicts. Further
 * rows have new keys, as DO UPDATE may not touch one row twice.
 */
import type { Assignment, Conflict, Expression, Insert, Random } from '../../../core/index.ts';
import type { GenerateOptions } from '../options.ts';
import { column, constant } from '../expression/operand.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { scopeOf, type ColumnInfo, type TableInfo } from '../table-info.ts';
import { pickTable } from '../focus.ts';
import { freeColumns, generateSet, insertColumns, insertRow, type WritePlace } from './write.ts';

export function generateUpsert(random: Random, place: WritePlace): Insert {
  const { options } = place;
  const first = pickTable(random, options, place.focus, place.tables);
  const info = keysOf(first).length > 0 ? first : (place.tables.find((other) => keysOf(other).length > 0) ?? first);
  const keys = keysOf(info);
  const key = keys.length > 0 ? random.pick(keys) : [];
  const action = key.length > 0 ? random.weighted(options.conflicts) : 'nothing';
  const columns = insertColumns(random, info);
  const several = key.some((name) => info.columns.find((from) => from.name === name)!.fresh) && random.chance(options.multiRowShare);
  const rows = Array.from({ length: several ? random.int(2, 3) : 1 }, (_, i) => {
    const row = insertRow(random, place, info, columns, false);
    return i === 0 && random.chance(0.8) ? withKeyOf(random, options, row, columns, info, key) : row;
  });
  return {
    kind: 'insert',
    table: info.table.name,
    columns: columns.map(({ name }) => name),
    rows,
    conflict: conflictOf(random, place, info, columns, key, action),
  };
}

function conflictOf(
  random: Random,
  place: WritePlace,
  info: TableInfo,
  given: readonly ColumnInfo[],
  key: readonly string[],
  action: keyof WritePlace['options']['conflicts'],
): Conflict {
  if (action === 'replace') return { action };
  if (action === 'nothing') return { action, columns: random.chance(0.3) ? [] : key };
  const set = conflictSet(random, place, info, given, key);
  if (action === 'update') return { action, columns: key, set };
  return { action: 'update', columns: key, set, where: condition(random, place, info, given) };
}

/** Returns the keys by which an INSERT can conflict: keys of columns that it gives a value. */
export function keysOf(info: TableInfo): readonly (readonly string[])[] {
  const { primaryKey, uniques } = info.table;
  return [primaryKey, ...uniques].filter(
    (key) => key.length > 0 && key.every((name) => !info.columns.find((from) => from.name === name)!.identity),
  );
}

function withKeyOf(
  random: Random,
  { absentShare }: GenerateOptions,
  row: readonly Expression[],
  columns: readonly ColumnInfo[],
  info: TableInfo,
  key: readonly string[],
): Expression[] {
  const { rows } = info.table;
  const absent = absentShare > 0 && random.chance(absentShare);
  const values = rows[Math.min(random.int(0, Math.max(0, rows.length - 1)), random.int(0, Math.max(0, rows.length - 1)))];
  return columns.map((from, i) => {
    if (absent && key.includes(from.name) && !from.foreignKey) return constant(from.type.kind, random.pick(from.domain));
    const value = values?.[info.columns.indexOf(from)] ?? null;
    return key.includes(from.name) && value !== null ? constant(from.type.kind, value) : row[i]!;
  });
}

/** Sets the proposed row's value, or one made from the existing row. */
function conflictSet(
  random: Random,
  place: WritePlace,
  info: TableInfo,
  given: readonly ColumnInfo[],
  key: readonly string[],
): readonly Assignment[] {
  const free = freeColumns(info.columns);
  const proposed = free.filter((from) => given.includes(from));
  if (free.length === 0) return [{ column: key[0]!, value: { kind: 'proposed', column: key[0]! } }];
  if (proposed.length > 0 && random.chance(0.45)) {
    const { name } = random.pick(proposed);
    return [{ column: name, value: { kind: 'proposed', column: name } }];
  }
  return generateSet(random, place, free, scopeOf(info, info.table.name));
}

function condition(random: Random, { options }: WritePlace, info: TableInfo, given: readonly ColumnInfo[]): Expression {
  const scope = scopeOf(info, info.table.name);
  const from = random.pick(scope);
  if (!given.includes(from.info) || from.info.family === 'boolean' || random.chance(0.6)) return generatePredicate(random, options, scope);
  return {
    kind: 'compare',
    op: random.pick(['<', '<>', '>='] as const),
    left: column(from),
    right: { kind: 'proposed', column: from.info.name },
  };
}
