/**
 * Tells from its tree what a statement of the key-value workloads does to which object. It recognises the forms that
 * statements.ts makes, once they are bound. It also recognises the reads that a read-only session makes instead (a
 * query of the whole table, or with the WHERE of the write). The result is undefined for any other statement.
 */
import type { Expression, ObjectOperation, Statement } from '../../core/index.ts';
import { KEY_VALUE_TABLE } from './statements.ts';

export function objectOperation(statement: Statement): ObjectOperation | undefined {
  if (statement.kind === 'select') {
    if (statement.from.kind !== 'table' || statement.from.table !== KEY_VALUE_TABLE) return undefined;
    if (statement.where === undefined) return { do: 'read' };
    const named = namedBy(statement.where);
    return named && { do: 'read', ...named };
  }
  if (statement.kind === 'insert') {
    const key = statement.table === KEY_VALUE_TABLE ? numberOf(statement.rows?.[0]?.[0]) : undefined;
    if (typeof key !== 'number') return undefined;
    const value = numberOf(statement.rows[0]![1]);
    if (typeof value !== 'number') return { do: 'append', key };
    return { do: 'write', key, value, ...(statement.conflict?.action !== 'update' && { ifAbsent: true }) };
  }
  if (statement.kind !== 'update' || statement.table !== KEY_VALUE_TABLE || statement.where === undefined) return undefined;
  const named = namedBy(statement.where);
  if (named === undefined) return undefined;
  const value = numberOf(statement.set[0]?.value);
  return typeof value === 'number' ? { do: 'write', value, ...named } : { do: 'append', key: named.key };
}

interface Named {
  readonly key: number;
  readonly expected?: number | null;
}

/** Recognises `k = 3`, or `k = 3 AND v = 7`. */
function namedBy(where: Expression): Named | undefined {
  const [first, second] = where.kind === 'logic' && where.op === 'and' ? where.operands : [where];
  const key = comparedTo('k', first);
  if (typeof key !== 'number') return undefined;
  if (second === undefined) return { key };
  const expected = comparedTo('v', second);
  return expected === undefined ? undefined : { key, expected };
}

function comparedTo(column: string, expression: Expression | undefined): number | null | undefined {
  if (expression?.kind !== 'compare' || expression.op !== '=' || expression.left.kind !== 'column' || expression.left.column !== column)
    return undefined;
  return numberOf(expression.right);
}

function numberOf(expression: Expression | undefined): number | null | undefined {
  if (expression?.kind !== 'literal' || expression.type !== 'integer') return undefined;
  return typeof expression.value === 'number' || expression.value === null ? expression.value : undefined;
}
