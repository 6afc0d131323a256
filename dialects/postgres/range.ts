/** Ranges with two ends in PostgreSQL's SQL, and exclusion constraints over them. */
import type { Bounds, Column, Exclusion, ExclusionPart, Expression, Range, RangeKind, Table, TypeKind } from '../../core/sql/index.ts';
import { quoteIdentifier } from './quote.ts';

const CONSTRUCTORS: Readonly<Record<RangeKind, string>> = {
  integer: 'int4range',
  bigint: 'int8range',
  decimal: 'numrange',
  date: 'daterange',
  timestamp: 'tsrange',
};

/** `[)` is the default of a range. */
export function rangeText(of: RangeKind, bounds: Bounds, lower: string, upper: string): string {
  return `${CONSTRUCTORS[of]}(${lower}, ${upper}${bounds === '[)' ? '' : `, '${bounds}'`})`;
}

type Print = (expression: Expression) => string;

/** The constraint, without its name. */
export function exclusionText({ parts, where }: Exclusion, table: Table, print: Print): string {
  const behind = where === undefined ? '' : ` WHERE (${print(where)})`;
  return `EXCLUDE USING gist (${parts.map((part) => partText(part, table, print)).join(', ')})${behind}`;
}

function partText(part: ExclusionPart, { name, columns }: Table, print: Print): string {
  if (part.meets === 'overlapping') return `(${printedRange(part.range, print)}) WITH &&`;
  return equalText(
    columns.find((column) => column.name === part.column)!,
    name,
  );
}

function printedRange({ of, bounds, lower, upper }: Range, print: Print): string {
  return rangeText(of, bounds, print(lower), print(upper));
}

/**
 * The range types for comparing values. Two ranges of one value each overlap exactly if the values are equal. GiST
 * indexes ranges itself, but plain values only with the extension btree_gist.
 */
const RANGE_OF: Readonly<Partial<Record<TypeKind, RangeKind>>> = {
  integer: 'decimal',
  bigint: 'decimal',
  decimal: 'decimal',
  date: 'date',
  timestamp: 'timestamp',
};

function equalText({ name, type, nullable }: Column, table: string): string {
  const of = RANGE_OF[type.kind];
  const column = `${quoteIdentifier(table)}.${quoteIdentifier(name)}`;
  if (of === undefined) return `${quoteIdentifier(name)} WITH =`;
  const range = rangeText(of, '[]', column, column);
  // A range without ends overlaps every other one, but a NULL equals nothing.
  return `(${nullable ? `CASE WHEN ${column} IS NOT NULL THEN ${range} END` : range}) WITH &&`;
}
