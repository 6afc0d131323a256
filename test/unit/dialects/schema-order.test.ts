/** Tables in the order in which they can be made. */
import { expect, it } from 'vitest';
import { inOrderOfReference } from '../../../dialects/schema-order.ts';

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
