/** Reads `tsrange(a, b) && tsrange(c, d)`, `(a, b) OVERLAPS (c, d)`, and the ranges of exclusion constraints. */
import type { Bounds, Expression, Overlaps, Range, RangeKind } from '../../../core/sql/index.ts';
import { refuse, rowOf } from '../../import/index.ts';
import { consume, kindOf, namesIn, type Fields, type Node } from './fields.ts';
import { intervalOf } from './read-interval.ts';

type Read = (node: Node) => Expression;

const CONSTRUCTORS: Readonly<Record<string, RangeKind>> = {
  int4range: 'integer',
  int8range: 'bigint',
  numrange: 'decimal',
  daterange: 'date',
  tsrange: 'timestamp',
  tstzrange: 'timestamp',
};
const BOUNDS: ReadonlySet<unknown> = new Set<Bounds>(['[)', '[]', '(]', '()']);

/** Undefined: the node is no range with two ends. */
export function rangeOf(node: Node, read: Read): Range | undefined {
  const [kind, inner] = kindOf(node);
  if (kind !== 'FuncCall') return undefined;
  const names = namesIn(inner['funcname'] as readonly Node[]);
  const of = names.length === 1 || names[0] === 'pg_catalog' ? rowOf(CONSTRUCTORS, names.at(-1)!) : undefined;
  return of === undefined ? undefined : consume(kind, inner, (f) => readRange(names.at(-1)!, of, f, read));
}

function readRange(name: string, of: RangeKind, f: Fields, read: Read): Range {
  f.nodes('funcname');
  f.expect('funcformat', ['COERCE_EXPLICIT_CALL']);
  const [lower, upper, bounds, more] = f.nodes('args');
  if (lower === undefined || upper === undefined || more !== undefined)
    return refuse(`${name}() takes two ends and, if wanted, bounds: ${name}(a, b) or ${name}(a, b, '[]')`);
  return { of, bounds: bounds === undefined ? '[)' : boundsOf(read(bounds)), lower: read(lower), upper: read(upper) };
}

/** Reads the bounds, without the cast that PostgreSQL adds when it prints them. */
function boundsOf(expression: Expression): Bounds {
  const { kind } = expression;
  const literal = kind === 'cast' ? expression.operand : expression;
  return literal.kind === 'literal' && BOUNDS.has(literal.value)
    ? (literal.value as Bounds)
    : refuse("the bounds of a range are one of '[)', '[]', '(]' and '()', written as a string");
}

/** Undefined: neither side of && is a range with two ends. */
export function overlapOf(f: Fields, read: Read): Overlaps | undefined {
  const [left, right] = [f.node('lexpr'), f.node('rexpr')].map((node) => rangeOf(node, read));
  if (left === undefined && right === undefined) return undefined;
  if (left === undefined || right === undefined) return refuse(TWO_RANGES);
  if (left.of !== right.of) return refuse('the ranges on the two sides of && are of two types: make both of one');
  return {
    kind: 'overlaps',
    ends: [left.lower, left.upper, right.lower, right.upper],
    ranges: { of: left.of, bounds: [left.bounds, right.bounds] },
  };
}

const TWO_RANGES = '&& is supported only between ranges of two ends: write both sides as tsrange(starts_at, ends_at) or its like';

/** The second value of a pair may be an interval, which is added to the first. */
export function readOverlaps(f: Fields, read: Read): Overlaps {
  const [a, b, c, d] = f.nodes('args');
  if (a === undefined || b === undefined || c === undefined || d === undefined)
    return refuse('OVERLAPS takes two pairs: (a, b) OVERLAPS (c, d)');
  const end = (start: Node, node: Node): Expression => {
    const seconds = intervalOf(node);
    return seconds === undefined ? read(node) : { kind: 'shifted', operand: read(start), seconds };
  };
  return { kind: 'overlaps', ends: [read(a), end(a, b), read(c), end(c, d)] };
}
