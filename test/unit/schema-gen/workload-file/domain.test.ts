/** Which values a parameter can take: asked about one by one, and listed. */
import { expect, it } from 'vitest';
import { createRandom } from '../../../../schema-gen/index.ts';
import { domainOf } from '../../../../schema-gen/workload-file/domain.ts';
import type { Counted } from '../../../../schema-gen/workload-file/domain.ts';

const range = (
  type: 'integer' | 'decimal' | 'timestamp',
  from: number,
  to: number,
  more: { readonly scale?: number; readonly every?: number } = {},
): Counted => ({ kind: 'range', type, from, to, scale: 0, ...more });
const HOUR = Date.parse('2026-01-01T10:00:00Z') / 1000;
const of = (values: Counted) => domainOf({ kind: 'rows', table: 't' }, values);

it.each<readonly [string, Counted, readonly (string | number)[], readonly (string | number)[]]>([
  ['whole numbers', range('integer', 3, 9), [3, 9, '4'], [2, 10, 3.5, 'x']],
  ['cents', range('decimal', 110, 130, { scale: 2 }), ['1.10', '1.29', '1.3'], ['1.09', '1.31', '1.205']],
  [
    'hours',
    range('timestamp', HOUR, HOUR + 7200, { every: 3600 }),
    ['2026-01-01 11:00:00'],
    ['2026-01-01 11:30:00', '2026-01-01 13:00:00', '11:00'],
  ],
  ['a list', { kind: 'list', type: 'bigint', values: ['1', '9007199254740993'] }, [1, '9007199254740993'], [2, '9007199254740992']],
])('a domain of %s holds its own values and no others', (_, values, own, others) => {
  const { holds } = of(values);
  expect(own.map(holds)).toEqual(own.map(() => true));
  expect(others.map(holds)).toEqual(others.map(() => false));
});

it('a domain lists all of its values, or some with both ends', () => {
  const random = createRandom('1');
  expect(of(range('integer', 3, 6)).some(4, random)).toEqual([3, 4, 5, 6]);
  const some = of(range('integer', 1, 1000)).some(10, random);
  expect(some).toContain(1);
  expect(some).toContain(1000);
  expect(some.length).toBeLessThanOrEqual(10);
  expect(of(range('timestamp', HOUR, HOUR + 7200, { every: 3600 })).some(5, random)).toEqual([
    '2026-01-01 10:00:00',
    '2026-01-01 11:00:00',
    '2026-01-01 12:00:00',
  ]);
});
