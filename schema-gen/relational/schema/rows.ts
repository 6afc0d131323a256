/**
 * Generates initial rows that satisfy every constraint of their table: keys by redrawing, references from rows that
 * exist.
 */
import type { Column, Random, Table, Value } from '../../../core/index.ts';
import type { Domains } from './domain.ts';
import type { GenerateOptions } from '../options.ts';

/** A row that met an existing key this often is given up: the domain is (nearly) used up. */
const ATTEMPTS = 20;

export function generateRows(
  random: Random,
  options: GenerateOptions,
  domains: Domains,
  table: Omit<Table, 'rows'>,
  earlier: readonly Table[],
): Value[][] {
  if (options.emptyShare > 0 && random.chance(options.emptyShare)) return [];
  const wanted = Math.max(random.int(1, options.maxRow), random.int(1, options.maxRow));
  const keys = [table.primaryKey, ...table.uniques].filter((key) => key.length > 0).map((key) => key.map((name) => place(table, name)));
  const used = keys.map(() => new Set<string>());
  const rows: Value[][] = [];
  for (let attempt = 0; rows.length < wanted && attempt < ATTEMPTS; attempt++) {
    const row = table.columns.map((column) => generateValue(random, options, domains, column, rows.length));
    if (!takeReferences(random, options, table, earlier, rows, row)) break;
    const marks = keys.map((key) => (key.some((i) => row[i] === null) ? undefined : JSON.stringify(key.map((i) => row[i]))));
    if (marks.some((mark, i) => mark !== undefined && used[i]!.has(mark))) continue;
    marks.forEach((mark, i) => mark !== undefined && used[i]!.add(mark));
    rows.push(row);
  }
  return rows;
}

function place(table: Pick<Table, 'columns'>, name: string): number {
  return table.columns.findIndex((column) => column.name === name);
}

function generateValue(random: Random, options: GenerateOptions, domains: Domains, column: Column, row: number): Value {
  if (column.identity) return row + 1;
  if (column.nullable && random.chance(options.nullShare)) return null;
  return random.pick(domains.of(column.type));
}

/** Overwrites the row's referring columns. Returns false if there is no row to refer to and NULL is not allowed. */
function takeReferences(
  random: Random,
  options: GenerateOptions,
  table: Omit<Table, 'rows'>,
  earlier: readonly Table[],
  own: readonly (readonly Value[])[],
  row: Value[],
): boolean {
  for (const key of table.foreignKeys) {
    const parent = earlier.find((other) => other.name === key.table) ?? { ...table, rows: own };
    const targets = key.references.map((name) => place(parent, name));
    const parentRows = parent.rows.filter((values) => targets.every((i) => values[i] !== null));
    const places = key.columns.map((name) => place(table, name));
    const nullable = places.every((i) => table.columns[i]!.nullable);
    if (parentRows.length === 0 && !nullable) return false;
    const values = parentRows.length === 0 || (nullable && random.chance(options.nullShare)) ? undefined : random.pick(parentRows);
    places.forEach((i, n) => {
      row[i] = values === undefined ? null : values[targets[n]!]!;
    });
  }
  return true;
}
