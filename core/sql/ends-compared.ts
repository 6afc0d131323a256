/** OVERLAPS and && written as two comparisons: `starts_at < :to AND ends_at > :from`. */
import type { Bounds } from './value.ts';
import type { Expression, Overlaps } from './statement.ts';

/** Each span starts before the other one ends. This equals OVERLAPS if both spans have two ends, the lower one first. */
export function endsCompared({ ends: [a, b, c, d], ranges }: Overlaps): Extract<Expression, { kind: 'logic' }> {
  const [first, second] = ranges?.bounds ?? ['[)', '[)'];
  const touch = (lower: Bounds, upper: Bounds): boolean => lower.startsWith('[') && upper.endsWith(']');
  return {
    kind: 'logic',
    op: 'and',
    operands: [
      { kind: 'compare', op: touch(first, second) ? '<=' : '<', left: a, right: d },
      { kind: 'compare', op: touch(second, first) ? '>=' : '>', left: b, right: c },
    ],
  };
}
