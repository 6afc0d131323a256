/**
 * Checks the types of the ends of OVERLAPS and of ranges. A value of another type fails at every execution, or becomes
 * a wider one.
 */
import type { Expression, Overlaps, RangeKind, TypeKind } from '../../core/sql/index.ts';
import { fit, isOpen } from './fit-literal.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import type { Found } from './scope.ts';

/** Types of values that convert implicitly to an end of each range type. */
const TAKES: Readonly<Record<RangeKind, readonly TypeKind[]>> = {
  integer: ['integer'],
  bigint: ['integer', 'bigint'],
  decimal: ['integer', 'bigint', 'decimal'],
  date: ['date'],
  timestamp: ['date', 'timestamp'],
};

export function resolveOverlaps(e: Overlaps, resolve: (each: Expression) => Found, grammar: Grammar): Found {
  const of = e.ranges?.of ?? 'timestamp';
  const what = e.ranges === undefined ? 'OVERLAPS' : `a range of ${of}`;
  const [a, b, c, d] = e.ends;
  const end = (each: Expression): Expression => endOf(resolve(each), of, what, grammar);
  return { expression: { ...e, ends: [end(a), end(b), end(c), end(d)] }, type: 'boolean' };
}

function endOf(found: Found, of: RangeKind, what: string, grammar: Grammar): Expression {
  const { expression, type } = found;
  // A text parameter is sent as a string without a type.
  const untyped = type === undefined || isOpen(expression) || (expression.kind === 'parameter' && (type === 'text' || type === 'varchar'));
  if (grammar.strictTypes && !untyped && !TAKES[of].includes(type))
    refuse(`an end of ${what} is of the type ${type}: write one of ${TAKES[of].join(', ')}, or make it one with CAST`);
  return fit(expression, of, grammar);
}
