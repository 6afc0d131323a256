/** A row that a statement shows proves the one read that it fits. */
import { expect, test } from 'vitest';
import type { PredicateEvent } from '../../../../core/history/index.ts';
import { PossibleReads } from '../../../../src/evaluate/fitting-values.ts';

interface Said {
  /** Reads that are made whatever the data. */
  readonly always?: string;
  /** Not all that a subquery can have read for is among the reads. */
  readonly open?: boolean;
  readonly ways?: number;
}

/** Reads named by letters, each with how it fares on the versions 0, 1, ...; undefined: not answered. Which subqueries were read? */
function certain(
  matches: Readonly<Record<string, string | undefined>>,
  shown: readonly number[],
  { always = '', open = false, ways = 1 + always.length }: Said = {},
): string[] {
  const possible = new PossibleReads<{ readonly statement: number; readonly ways: number; readonly name: string }>();
  const read = (name: string) => ({ statement: 3, ways, name });
  for (const name of always) possible.add(read(name), [read(name)], true);
  const values = Object.keys(matches).filter((name) => !always.includes(name));
  possible.add(read('subquery'), values.map(read), !open);
  const answered = new Map(
    possible.all.flatMap((each) => {
      const event: PredicateEvent = {
        e: 'predicate',
        t: 1,
        n: 0,
        table: each.name,
        ...(matches[each.name] !== undefined && { matches: matches[each.name]! }),
        ...(!always.includes(each.name) && { when: { tables: ['o'], versions: [] } }),
      };
      return matches[each.name] === undefined ? [] : [[each, event] as const];
    }),
  );
  const events = possible.settled(answered, (statement) => (statement === 3 ? shown : []));
  expect(events.length).toBe(answered.size);
  return events.filter(({ when, table }) => when === undefined && !always.includes(table)).map(({ table }) => table);
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

test('nor where values may be missing, or the table is read in other ways that may have shown it', () => {
  expect(certain({ a: '10', b: '01' }, [0], { open: true })).toEqual([]);
  expect(certain({ a: '10', b: '01' }, [0], { ways: 2 })).toEqual([]);
  expect(certain({ a: '10', b: '01' }, [0], { ways: 0 })).toEqual([]);
});

test('beside a read that is always made a version proves what it fits only if it does not fit that one', () => {
  expect(certain({ a: '11', b: '01' }, [0], { always: 'b' })).toEqual(['a']);
  expect(certain({ a: '11', b: '01' }, [1], { always: 'b' })).toEqual([]);
  expect(certain({ a: '11', b: '0?' }, [1], { always: 'b' })).toEqual([]);
});
