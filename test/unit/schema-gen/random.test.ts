/** The random streams: the same path gives the same draws, forks stand apart, draws are in range and fair. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../schema-gen/index.ts';

const draws = (random: ReturnType<typeof createRandom>): number[] => Array.from({ length: 20 }, () => random.int(0, 1_000_000));

describe('createRandom', () => {
  it('draws the same numbers from the same seed and others from another seed', () => {
    expect(draws(createRandom('7'))).toEqual(draws(createRandom('7')));
    expect(draws(createRandom('7'))).not.toEqual(draws(createRandom('8')));
  });

  it('forks to a stream that does not depend on what was drawn before', () => {
    const fresh = createRandom('seed');
    const used = createRandom('seed');
    draws(used);
    used.fork('other');
    expect(draws(used.fork('label'))).toEqual(draws(fresh.fork('label')));
  });

  it('leaves a stream as it was when it is forked', () => {
    const forked = createRandom('seed');
    draws(forked.fork('label'));
    expect(draws(forked)).toEqual(draws(createRandom('seed')));
  });

  it('gives forks with different labels or parents different streams', () => {
    const streams = ['a', 'b', 'ab'].map((label) => createRandom('seed').fork(label));
    streams.push(createRandom('seed').fork('a').fork('b'), createRandom('seeda').fork('b'), createRandom('seed'));
    expect(new Set(streams.map((stream) => draws(stream).join())).size).toBe(streams.length);
  });

  it('draws every integer of a range, none outside it, about equally often', () => {
    const random = createRandom('range');
    const counts = new Map<number, number>();
    for (let i = 0; i < 7000; i++) {
      const value = random.int(-3, 3);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-3, -2, -1, 0, 1, 2, 3]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('draws weighted keys in proportion and never one of weight 0', () => {
    const random = createRandom('weights');
    const counts = { a: 0, b: 0, c: 0 };
    for (let i = 0; i < 4000; i++) counts[random.weighted({ a: 3, b: 0, c: 1 })]++;
    expect(counts.b).toBe(0);
    expect(Math.abs(counts.a - 3000)).toBeLessThan(150);
    expect(() => random.weighted({ a: 0 })).toThrow(/weight/);
  });

  it('draws true with the given probability', () => {
    const random = createRandom('chance');
    let hits = 0;
    for (let i = 0; i < 4000; i++) hits += random.chance(0.25) ? 1 : 0;
    expect(Math.abs(hits - 1000)).toBeLessThan(120);
    expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  });

  it('shuffles a copy', () => {
    const items = [1, 2, 3, 4, 5, 6];
    const shuffled = createRandom('shuffle').shuffle(items);
    expect(items).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(items);
    expect(shuffled).not.toEqual(items);
  });

  it('refuses an empty list and an empty range', () => {
    expect(() => createRandom('x').pick([])).toThrow(/empty/);
    expect(() => createRandom('x').int(2, 1)).toThrow(/empty range/);
  });
});
