/**
 * A LIMIT without effect: the WHERE fixes a whole key of one table (`WHERE id = 7 LIMIT 1`, as ORMs read each row). At
 * most one row satisfies the WHERE, so the query reads and returns the same without the LIMIT.
 */
import type { Schema } from './schema.ts';
import { conjunctsOf, hasAggregate, hasWindow } from './shape.ts';
import type { Expression, Select, Statement } from './statement.ts';
import { FAMILIES } from './value.ts';

/** Returns the statement without such a LIMIT. */
export function withoutWholeLimit<S extends Statement>(statement: S, schema: Schema): S {
  if (statement.kind !== 'select' || !isWhole(statement, schema)) return statement;
  const { limit: _, ...rest } = statement;
  return rest as S;
}

/** Whether the LIMIT exists and has no effect for that reason. */
export function isWhole(select: Select, { tables }: Schema): boolean {
  const { from, limit, where, groupBy, having, items } = select;
  if (limit === undefined || limit < 1 || from.kind !== 'table' || (groupBy ?? having) !== undefined) return false;
  if (items.some(({ expression }) => hasAggregate(expression) || hasWindow(expression))) return false;
  const table = tables.find(({ name }) => name === from.table);
  if (table === undefined) return false;
  const given = new Map(conjunctsOf(where).flatMap((each) => constantOf(each, from.alias)));
  const families = new Map(table.columns.map(({ name, type }) => [name, FAMILIES[type.kind]]));
  return [table.primaryKey, ...table.uniques].some(
    (key) => key.length > 0 && key.every((column) => given.has(column) && given.get(column) === families.get(column)),
  );
}

/**
 * The column that the condition sets equal to a constant, and the constant's type family. A text beside a number may
 * equal several numbers.
 */
function constantOf(condition: Expression, alias: string): readonly (readonly [column: string, family: string])[] {
  if (condition.kind !== 'compare' || condition.op !== '=') return [];
  return [[condition.left, condition.right] as const, [condition.right, condition.left] as const].flatMap(([column, value]) =>
    column.kind === 'column' && column.table === alias && (value.kind === 'literal' || value.kind === 'parameter')
      ? [[column.column, FAMILIES[value.type]] as const]
      : [],
  );
}
