/** The text of BEGIN in a record gives back the statements that it was made of; one that would not is refused. */
import { expect, test } from 'vitest';
import { beginParts, beginText } from '../../../../core/dialect/index.ts';

test('statements come back from the text', () => {
  const parts = ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'START TRANSACTION', 'SELECT 1'];
  expect(beginText(parts)).toBe('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION; SELECT 1');
  expect(beginParts(beginText(parts))).toEqual(parts);
  expect(beginParts('BEGIN;')).toEqual(['BEGIN']);
});

test('a statement with a semicolon of its own is refused', () => {
  expect(() => beginText(['BEGIN', "SELECT ';'"])).toThrow(/semicolon of its own/);
});
