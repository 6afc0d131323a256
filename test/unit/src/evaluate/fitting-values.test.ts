/** A row that a correlated subquery shows proves the one value that it fits. */
import { expect, test } from 'vitest';
import type { PredicateEvent } from '../../../../core/index.ts';
import { settled } from '../../../../src/evaluate/fitting-values.ts';

/** Reads named by letters, each with how it fares on the versions 0, 1, ...; absent: not answered. */
function certain(matches: Readonly<Record<string, string | undefined>>, shown: readonly number[]): string[] {
  const answered = new Map<string, PredicateEvent>();
  for (const [name, each] of Object.entries(matches))
    if (each !== undefined)
      answered.set(name, { e: 'predicate', t: 1, n: 0, table: name, matches: each, when: { tables: ['o'], versions: [] } });
  const events = settled(answered, [{ reads: Object.keys(matches), shown }]);
  expect(events.length).toBe(answered.size);
  return events.filter(({ when }) => when === undefined).map(({ table }) => table);
}

test('a version that is shown and fits one value only was read for that one', () => {
  expect(certain({ a: '10', b: '01' }, [0])).toEqual(['a']);
  expect(certain({ a: '10', b: '01' }, [0, 1])).toEqual(['a', 'b']);
  expect(certain({ a: '10', b: '01' }, [])).toEqual([]);
});

test('nothing is certain where it fits two values, may fit another, or a value has no answer', () => {
  expect(certain({ a: '10', b: '11' }, [0])).toEqual([]);
  expect(certain({ a: '10', b: '?1' }, [0])).toEqual([]);
  expect(certain({ a: '10', b: undefined }, [0])).toEqual([]);
});
