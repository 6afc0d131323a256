import { expect, test } from 'vitest';
import { FirstOfPair } from '../../../graph/index.ts';

test('a pair is found at its first place, one that is not there and one with a negative number nowhere', () => {
  const pairs = new FirstOfPair(5, [1, 1, 2, 1, 7], [4, -1, 4, 4, 0]);
  expect(pairs.find(1, 4)).toBe(0);
  expect(pairs.find(2, 4)).toBe(2);
  expect(pairs.find(7, 0)).toBe(4);
  expect(pairs.find(1, -1)).toBe(-1);
  expect(pairs.find(4, 1)).toBe(-1);
  expect(new FirstOfPair(4, [1, 1, 2, 1, 7], [4, -1, 4, 4, 0]).find(7, 0)).toBe(-1);
});
