// The orders of a file's steps, against all permutations of them that keep each session's own order.
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../../../../src/replay/index.ts';
import { interleavings, specOrders } from '../../../../../src/replay/spec/spec-orders.ts';

const sessions = (lengths: readonly number[]): string =>
  lengths.map((length, s) => `session s${s}\n${Array.from({ length }, (_, i) => `step s${s}_${i} { SELECT ${i} }`).join('\n')}\n`).join('');
const ordersOf = (text: string): readonly string[] =>
  specOrders(parseSpec(text, 'a.spec')).map((order) => order.map(({ session, name }) => `${session}:${name}`).join(' '));

describe('the orders of a .spec', () => {
  it.each([[[1, 1]], [[2, 2]], [[3, 2]], [[2, 2, 1]], [[0, 2]], [[1, 1, 1, 1]]])(
    'are all interleavings of %j without a permutation',
    (lengths) => {
      const orders = ordersOf(sessions(lengths));
      expect(new Set(orders).size).toBe(orders.length);
      expect(orders.length).toBe(interleavings(lengths));
      const steps = lengths.flatMap((length, s) => Array.from({ length }, (_, i) => `${s}:s${s}_${i}`));
      for (const order of orders) {
        expect(order.split(' ').toSorted()).toEqual(steps.toSorted());
        for (const s of lengths.keys()) {
          const own = order.split(' ').filter((step) => step.startsWith(`${s}:`));
          expect(own).toEqual(own.toSorted());
        }
      }
    },
  );

  it.each([
    [[2, 2], 6],
    [[3, 3], 20],
    [[2, 2, 2], 90],
    [[4, 4, 4], 34_650],
  ])('of %j are %i', (lengths, count) => {
    expect(interleavings(lengths)).toBe(count);
  });

  it('are those that the file names, where it names some: a step may stand twice or be left out', () => {
    expect(ordersOf(`${sessions([2, 1])}permutation s0_1 s1_0 s0_1\npermutation s0_0`)).toEqual(['0:s0_1 1:s1_0 0:s0_1', '0:s0_0']);
  });

  it('are refused where there are too many to run', () => {
    expect(() => ordersOf(sessions([4, 4, 4]))).toThrow('a.spec: the file names no permutation, and its steps have 34650 interleavings');
  });
});
