/** Two spans as comparisons of their ends, against the moments that both hold. */
import { expect, it } from 'vitest';
import { endsCompared, truthOf } from '../../../../core/sql/index.ts';
import type { Bounds, Overlaps } from '../../../../core/sql/index.ts';
import { literal } from '../../../sql.ts';

const BOUNDS: readonly Bounds[] = ['[)', '[]', '(]', '()'];
const ENDS = [0, 1, 2, 3];
/** These are whole moments and those between them. */
const MOMENTS = [0, 0.5, 1, 1.5, 2, 2.5, 3];

const holds = (moment: number, [from, to]: readonly [number, number], bounds: Bounds): boolean =>
  (from < moment || (from === moment && bounds.startsWith('['))) && (moment < to || (moment === to && bounds.endsWith(']')));

it('says of spans that are not empty whether they have a moment in common', () => {
  const spans = ENDS.flatMap((from) => ENDS.filter((to) => to > from).map((to) => [from, to] as const));
  for (const first of BOUNDS)
    for (const second of BOUNDS)
      for (const a of spans)
        for (const b of spans) {
          const overlaps: Overlaps = {
            kind: 'overlaps',
            ends: [literal(a[0]), literal(a[1]), literal(b[0]), literal(b[1])],
            ranges: { of: 'integer', bounds: [first, second] },
          };
          const common = MOMENTS.some((moment) => holds(moment, a, first) && holds(moment, b, second));
          expect(truthOf(endsCompared(overlaps)), JSON.stringify([a, first, b, second])).toBe(common);
          const { ranges: _, ...moments } = overlaps;
          if (first === '[)' && second === '[)') expect(truthOf(endsCompared(moments))).toBe(common);
        }
});
