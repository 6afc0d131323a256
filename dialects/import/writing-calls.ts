/**
 * Refuses calls of a function that writes, except where the server evaluates it once for each written row. The tool
 * then adds no second evaluation. The function's writes count as writes of that statement.
 */
import { contentsOf, contentsOfExpressions, effectsOf, routinesCalled } from '../../core/sql/index.ts';
import type { Expression, Schema, Statement } from '../../core/sql/index.ts';
import { refuse } from './refuse.ts';

export function refuseWritingCalls(statement: Statement, schema: Schema): void {
  const writing = new Map(routinesCalled(statement).map((name) => [name, [...effectsOf(schema, [], [name]).writes]] as const));
  const { expressions, queries } = contentsOf(statement);
  const placed = queries.length > 0 ? new Set<Expression>() : new Set(contentsOfExpressions(valuesOf(statement)).expressions);
  for (const each of expressions) {
    if (each.kind !== 'routine' || placed.has(each)) continue;
    const tables = writing.get(each.name)!;
    if (tables.length > 0)
      refuse(
        `${each.name}() writes to ${tables.join(', ')}: call it in the VALUES of an INSERT or behind SET of an UPDATE, of one table and without a query in it, or write its statements into the transaction`,
      );
  }
}

function valuesOf(statement: Statement): readonly Expression[] {
  if (statement.kind === 'insert') return statement.conflict === undefined ? statement.rows.flat() : [];
  return statement.kind === 'update' && statement.from === undefined ? statement.set.map(({ value }) => value) : [];
}
