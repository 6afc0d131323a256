/**
 * Generates the leaves of every expression: a column in scope and literals of its type, drawn so that they meet
 * existing rows.
 */
import type { Expression, Random, TypeKind, Value } from '../../../core/index.ts';
import type { Family } from '../schema/domain.ts';
import type { GenerateOptions } from '../options.ts';
import type { ColumnInfo, ScopeColumn } from '../table-info.ts';

export function column(from: ScopeColumn): Expression {
  return { kind: 'column', table: from.alias, column: from.info.name };
}

export function constant(type: TypeKind, value: Value): Expression {
  return { kind: 'literal', type, value };
}

/** Returns a non-NULL literal of the column's type, mostly one that its table holds at the start. */
export function literal(random: Random, options: GenerateOptions, info: ColumnInfo): Expression {
  const { seen, domain } = info;
  if (seen.length === 0 || !random.chance(options.hotShare)) return constant(info.type.kind, random.pick(domain));
  return constant(info.type.kind, seen[Math.min(random.int(0, seen.length - 1), random.int(0, seen.length - 1))]!);
}

/** Returns a small number of a numeric family. */
export function small(random: Random, family: Family, min: number, max: number): Expression {
  const value = random.int(min, max);
  return constant(family, family === 'integer' ? value : String(value));
}

export function isNumeric(family: Family): boolean {
  return family === 'integer' || family === 'bigint' || family === 'decimal';
}
