/**
 * The target of a statement. A transaction has a focus: one table, and one row of each table, to which most of its
 * statements return. This makes read-modify-write pairs within it and conflicts with the others.
 */
import type { Expression, Random, Value } from '../../core/index.ts';
import { column, constant } from './expression/operand.ts';
import type { GenerateOptions } from './options.ts';
import { generatePredicate, generateRange } from './expression/predicate.ts';
import { scopeOf, type TableInfo } from './table-info.ts';

export interface Focus {
  readonly table: TableInfo;
  /** For each table, the initial row it returns to. */
  readonly rows: ReadonlyMap<TableInfo, number>;
}

export type Target = keyof GenerateOptions['deleteTargets'];

export function generateFocus(random: Random, tables: readonly TableInfo[]): Focus {
  const rows = new Map(tables.map((info) => [info, hot(random, info.table.rows.length)]));
  return { table: tables[hot(random, tables.length)]!, rows };
}

export function pickTable(random: Random, options: GenerateOptions, focus: Focus, tables: readonly TableInfo[]): TableInfo {
  return random.chance(options.focusShare) ? focus.table : random.pick(tables);
}

/** Returns undefined for every row. */
export function generateWhere(
  random: Random,
  options: GenerateOptions,
  info: TableInfo,
  alias: string,
  focus: Focus,
  target: Target,
): Expression | undefined {
  if (target === 'all') return undefined;
  if (target === 'range') return generateRange(random, options, scopeOf(info, alias));
  const aimed =
    target === 'point' ? generatePoint(random, options, info, alias, focus) : target === 'new' ? generateNew(info, alias) : undefined;
  return aimed ?? generatePredicate(random, options, scopeOf(info, alias));
}

/**
 * Selects one row by its key, or by its first column if there is no key: an initial row, or one of a key that may be
 * absent.
 */
export function generatePoint(
  random: Random,
  options: GenerateOptions,
  info: TableInfo,
  alias: string,
  focus: Focus,
): Expression | undefined {
  const values = options.absentShare > 0 && random.chance(options.absentShare) ? anyKey(random, info) : initialRow(random, info, focus);
  if (values === undefined) return undefined;
  const { primaryKey } = info.table;
  const operands = info.columns.flatMap((from, i): Expression[] => {
    const asked = primaryKey.length > 0 ? primaryKey.includes(from.name) : i === 0;
    const value = values[i]!;
    if (!asked || value === null) return [];
    return [{ kind: 'compare', op: '=', left: column({ alias, info: from }), right: constant(from.type.kind, value) }];
  });
  return operands.length > 1 ? { kind: 'logic', op: 'and', operands } : operands[0];
}

function initialRow(random: Random, info: TableInfo, focus: Focus): readonly Value[] | undefined {
  const { rows } = info.table;
  return rows.length === 0 ? undefined : rows[random.chance(0.6) ? focus.rows.get(info)! : hot(random, rows.length)]!;
}

function anyKey(random: Random, info: TableInfo): readonly Value[] {
  return info.columns.map((from) => random.pick(from.domain));
}

/** Selects rows inserted since the start. Returns undefined if nothing distinguishes them. */
function generateNew(info: TableInfo, alias: string): Expression | undefined {
  const from = info.columns.find((candidate) => candidate.newFrom !== undefined);
  return from && { kind: 'compare', op: '>=', left: column({ alias, info: from }), right: constant(from.type.kind, from.newFrom!) };
}

/** Draws from 0..count-1, the first ones more often. */
function hot(random: Random, count: number): number {
  return count === 0 ? 0 : Math.min(random.int(0, count - 1), random.int(0, count - 1));
}
