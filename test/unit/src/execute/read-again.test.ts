/** Rows that a statement may have written, read again: when that is allowed, and what it settles. */
import { expect, test } from 'vitest';
import type { Probe } from '../../../../core/program/index.ts';
import { mayReadAgain, readAgain, settled } from '../../../../src/execute/index.ts';

const inserted: Probe = { layout: { kind: 'none' }, role: 'write', reads: 'exact', captured: { own: true, entry: ',7.1' }, userColumns: 0 };
const removed: Probe = { layout: { kind: 'none' }, role: 'delete', reads: 'exact', captured: { own: true }, userColumns: 0 };
const proposed = ['t', 'r7.1_0', ',7.1', 't', 'r7.1_1', ',7.1'];
const captured = ['t', 'r0.0_1', ',0.0', 't', 'r0.0_2', ',0.0,8.1'];

test('a plain read is sent only where it opens no snapshot and takes no lock', () => {
  expect(
    ['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable'].map((level) => mayReadAgain(level as 'serializable', false)),
  ).toEqual([true, true, false, false]);
  expect([mayReadAgain('repeatable-read', true), mayReadAgain('serializable', true)]).toEqual([true, false]);
});

test('it names the rows by their ids and takes no lock', () => {
  const { statement } = readAgain(proposed);
  expect([statement.lock, statement.from]).toEqual([undefined, { kind: 'table', table: 't', alias: 't' }]);
  expect(statement.where).toMatchObject({ kind: 'in', list: [{ value: 'r7.1_0' }, { value: 'r7.1_1' }] });
});

test('what ends in the entry was written, if it is as many as were affected', () => {
  expect(settled(inserted, 1, proposed, ['t', 'r7.1_1', ',7.1'])).toEqual({ w: ['t', 'r7.1_1', ',7.1'] });
  expect(settled(inserted, 2, proposed, ['t', 'r7.1_1', ',7.1'])).toBeUndefined();
  expect(settled(inserted, 1, proposed, ['t', 'r7.1_1', ',17.1'])).toBeUndefined();
});

test('what is gone was removed, if it is as many as were affected', () => {
  expect(settled(removed, 1, captured, ['t', 'r0.0_1', ',0.0'])).toEqual({ d: ['t', 'r0.0_2', ',0.0,8.1'] });
  expect(settled(removed, 1, captured, [])).toBeUndefined();
});
