/** Tables in the order in which they can be made. */
import { expect, it } from 'vitest';
import { inOrderOfReference } from '../../../dialects/schema-order.ts';
import { createRandom } from '../../../schema-gen/index.ts';

it('puts a table behind those that it refers to, itself aside, and of a circle the one first that waits for the fewest', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const references = [
    ['a', 'c'],
    ['c', 'b'],
    ['c', 'c'],
    ['d', 'e'],
    ['e', 'd'],
    ['d', 'a'],
  ] as const;
  const order = inOrderOfReference(names, references);
  expect(order.indexOf('b')).toBeLessThan(order.indexOf('c'));
  expect(order.indexOf('c')).toBeLessThan(order.indexOf('a'));
  expect([...order].sort()).toEqual(names);
  expect(
    inOrderOfReference(
      ['d', 'e', 'f'],
      [
        ['d', 'e'],
        ['d', 'f'],
        ['e', 'd'],
        ['f', 'd'],
      ],
    )[0],
  ).toBe('e');
});

it('agrees with a search in rounds on small schemas, with circles and without', () => {
  const random = createRandom('orders of tables');
  for (let n = 0; n < 3_000; n++) {
    const names = Array.from({ length: random.int(1, 8) }, (_, at) => `t${at}`);
    const references = Array.from({ length: random.int(0, 14) }, () => [random.pick(names), random.pick(names)] as const);
    expect(inOrderOfReference(names, references), JSON.stringify(references)).toEqual(bySearch(names, references));
  }
});

it('puts a chain and a ring of 20,000 tables into an order without a search for each', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `t${at}`);
  const chain = names.slice(1).map((name, at) => [names[at]!, name] as const);
  expect(inOrderOfReference(names, chain)).toEqual(names.toReversed());
  const ring = inOrderOfReference(names, [...chain, [names.at(-1)!, names[0]!]]);
  expect([ring[0], ring[1], ring.length]).toEqual([names[0], names.at(-1), names.length]);
});

/** The same in rounds, each of which looks through all of them. */
function bySearch(names: readonly string[], references: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const order: string[] = [];
  let left = [...names];
  while (left.length > 0) {
    const among = new Set(left);
    const waitsFor = (name: string): readonly string[] =>
      references.flatMap(([from, to]) => (from === name && to !== name && among.has(to) ? [to] : []));
    const ready = left.filter((name) => waitsFor(name).length === 0);
    const next = ready.length > 0 ? ready : [firstOfCircle(left, waitsFor)];
    order.push(...next);
    left = left.filter((name) => !next.includes(name));
  }
  return order;
}

/** Of a circle that waits for nothing outside of it. */
function firstOfCircle(names: readonly string[], waitsFor: (name: string) => readonly string[]): string {
  const reaches = new Map(names.map((name) => [name, reachable(name, waitsFor)]));
  const circle = names.filter((name) => [...reaches.get(name)!].every((other) => reaches.get(other)!.has(name)));
  return circle.toSorted((a, b) => new Set(waitsFor(a)).size - new Set(waitsFor(b)).size)[0]!;
}

function reachable(name: string, waitsFor: (name: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...waitsFor(name)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...waitsFor(next));
  }
  return seen;
}
