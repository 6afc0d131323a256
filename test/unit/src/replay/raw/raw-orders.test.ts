// The orders of a .spec: those that it names, all, a number drawn from the seed, and session by session.
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../schema-gen/index.ts';
import type { Orders } from '../../../../../src/explore/explore-program.ts';
import { parseSpec } from '../../../../../src/replay/index.ts';
import { rawOrders } from '../../../../../src/replay/raw/raw-orders.ts';

const sessions = (...steps: readonly number[]): string =>
  steps
    .map((count, s) => `session s${s}\n${Array.from({ length: count }, (_, i) => `step ${'abcdefgh'[s]}${i} { SELECT 1 }`).join('\n')}`)
    .join('\n');
const ordersOf = (text: string, orders: Orders, seed = '1'): readonly string[] =>
  rawOrders(parseSpec(text, 'a.spec'), orders, createRandom(seed)).map((order) => order.map(({ name }) => name).join(' '));

describe('the orders of a .spec', () => {
  it('are those that it names, or else all', () => {
    expect(ordersOf(`${sessions(1, 2)}\npermutation b0 a0(*) b1\npermutation b0`, 'pruned')).toEqual(['b0 a0 b1', 'b0']);
    expect(ordersOf(sessions(1, 2), 'pruned')).toEqual(['a0 b0 b1', 'b0 a0 b1', 'b0 b1 a0']);
  });

  it('are all, whatever it names', () => {
    expect(ordersOf(`${sessions(2, 2)}\npermutation a0 a1 b0 b1`, 'all')).toHaveLength(6);
  });

  it('are as many as are asked for, different ones, the same for one seed', () => {
    const drawn = ordersOf(sessions(4, 4), 30);
    expect(new Set(drawn).size).toBe(30);
    expect(ordersOf(sessions(4, 4), 30)).toEqual(drawn);
    expect(ordersOf(sessions(4, 4), 30, '2')).not.toEqual(drawn);
    for (const order of drawn)
      for (const session of ['a', 'b'])
        expect(order.split(' ').filter((name) => name.startsWith(session))).toEqual(['0', '1', '2', '3'].map((i) => session + i));
    expect(ordersOf(sessions(2, 2), 100)).toHaveLength(6);
  });

  it('are those of whole sessions as a control', () => {
    expect(ordersOf(sessions(2, 1), 'serial')).toEqual(['a0 a1 b0', 'b0 a0 a1']);
  });

  it('are bounded, with what to do', () => {
    expect(() => ordersOf(sessions(9, 9), 'all')).toThrow(
      'a.spec: its steps have 48620 orders; expected at most 20000, or --orders with a number of them.',
    );
    expect(() => ordersOf(sessions(9, 9), 'pruned')).toThrow('48620 orders');
    expect(ordersOf(sessions(9, 9), 5)).toHaveLength(5);
    expect(() => ordersOf(sessions(1, 1, 1, 1, 1, 1, 1), 'serial')).toThrow('and it has 7; expected at most 6');
  });
});
