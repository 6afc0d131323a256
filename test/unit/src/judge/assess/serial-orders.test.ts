/** The orders of the serial control: what the dependencies show comes first, and no order is run twice. */
import { expect, test } from 'vitest';
import type { TestCase } from '../../../../../core/program/index.ts';
import { inferDependencies } from '../../../../../infer/index.ts';
import { serialOrders } from '../../../../../src/judge/assess/serial-orders.ts';
import { historyFromText } from '../../../history-text.ts';

const planned = (...sessions: readonly (readonly number[])[]): TestCase =>
  ({
    seed: 's',
    schema: { tables: [] },
    sessions: sessions.map((ids) => ({ transactions: ids.map((id) => ({ id, statements: [], end: 'commit', autocommit: false })) })),
  }) as unknown as TestCase;

test('a transaction that did not see what another one had committed runs before it, though it committed after it', () => {
  // t2 commits first, t1 has read x before that.
  const history = historyFromText('t2[0-10]: w x ,0.0,2.1; commit\nt1[0-20]: r x ,0.0; w y ,0.0,1.1; commit');
  const orders = serialOrders(history, planned([1], [2]), inferDependencies(history));
  expect(orders.map(({ ids, needed }) => [ids, needed])).toEqual([
    [[1, 2], true],
    [[2, 1], true],
  ]);
  expect(orders.map(({ name }) => name)).toEqual(['dependencies', 'commits']);
});

test('without dependencies it is the commits, then the sessions, then the commits backwards', () => {
  const history = historyFromText(
    't1[0-10]: w x ,0.0,1.1; commit\nt2[0-20]: w y ,0.0,2.1; commit\nt3[15-30]: w z ,0.0,3.1; commit\nt4[0-40]: r z ,0.0; rollback',
  );
  const orders = serialOrders(history, planned([1, 3], [2, 4]));
  expect(orders.map(({ ids }) => ids)).toEqual([
    [1, 2, 3],
    [1, 3, 2],
    [3, 2, 1],
  ]);
  expect(orders.map(({ needed }) => needed)).toEqual([true, false, false]);
});

test('a cycle is begun with the first to commit', () => {
  const history = historyFromText('t1[0-10]: r x ,0.0; w y ,0.0,1.1; commit\nt2[0-20]: r y ,0.0; w x ,0.0,2.1; commit');
  expect(serialOrders(history, planned([1], [2]), inferDependencies(history))[0]?.ids).toEqual([1, 2]);
});
