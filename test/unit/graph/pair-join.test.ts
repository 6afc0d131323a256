import { describe, expect, test } from 'vitest';
import { joinPairs } from '../../../graph/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';

describe('joining pairs', () => {
  for (const [count, wide] of [
    [40, false],
    [40, true],
    [60_000, false],
    [60_000, true],
  ] as const) {
    test(`${count} entries${wide ? ' with high halves' : ''} match as a map matches them`, () => {
      const random = createRandom(`pairs ${count} ${wide}`);
      const spread = Math.max(2, Math.floor(count / 20));
      const column = (most: number): Int32Array => Int32Array.from({ length: count }, () => random.int(-1, most));
      const role = Uint8Array.from({ length: count }, () => random.int(0, 2));
      const firstLow = column(spread);
      const secondLow = column(12);
      // a value that fits 32 bits has the sign of its low half as high half; some do not fit
      const high = (low: Int32Array): Int32Array => low.map((value) => (random.chance(0.2) ? random.int(1, 2) : value >> 31));
      const firstHigh = wide ? high(firstLow) : undefined;
      const secondHigh = wide ? high(secondLow) : undefined;
      const { match, duplicates } = joinPairs({ count, role, firstLow, firstHigh, secondLow, secondHigh }, true);

      const first = (i: number): string => `${firstHigh?.[i] ?? firstLow[i]! >> 31} ${firstLow[i]}`;
      const second = (i: number): string => `${secondHigh?.[i] ?? secondLow[i]! >> 31} ${secondLow[i]}`;
      const built = new Map<string, number>();
      const expectedDuplicates: string[] = [];
      for (let i = 0; i < count; i++) {
        if (role[i] !== 1) continue;
        const pair = `${first(i)} ${second(i)}`;
        if (built.has(pair)) expectedDuplicates.push(`${i} ${built.get(pair)}`);
        else built.set(pair, i);
      }
      const defaults = new Map<string, number>();
      for (let i = 0; i < count; i++) {
        if (role[i] === 1) continue;
        let expected = role[i] === 0 ? built.get(`${first(i)} ${second(i)}`) : undefined;
        if (expected === undefined && (role[i] === 2 || second(i) === '0 0')) {
          expected = defaults.get(first(i)) ?? i;
          defaults.set(first(i), expected);
        }
        expect(match[i]).toBe(expected ?? -1);
      }
      expect(duplicates.map(([entry, before]) => `${entry} ${before}`).toSorted()).toEqual(expectedDuplicates.toSorted());
    });
  }

  for (const [count, repeated] of [
    [40, false],
    [60_000, false],
    [60_000, true],
  ] as const) {
    test(`${count} entries whose values are of one counter${repeated ? ', but for one that comes twice,' : ''} match as a map matches them`, () => {
      const random = createRandom(`counter ${count}`);
      let counter = -3;
      const role = Uint8Array.from({ length: count }, () => random.int(0, 1));
      const firstLow = Int32Array.from({ length: count }, () => random.int(-2, 9));
      const secondLow = Int32Array.from(role, (r) => (r === 1 ? ++counter : 0));
      const builds = [...role.keys()].filter((i) => role[i] === 1);
      for (let i = 0; i < count; i++) {
        if (role[i] === 1) continue;
        const read = builds[random.int(0, builds.length - 1)]!;
        if (random.chance(0.6)) [firstLow[i], secondLow[i]] = [firstLow[read]!, secondLow[read]!];
        else secondLow[i] = random.chance(0.7) ? 0 : random.int(-9, 2 * count);
      }
      if (repeated) [firstLow[builds[7]!], secondLow[builds[7]!]] = [firstLow[builds[3]!]!, secondLow[builds[3]!]!];
      const { match, duplicates } = joinPairs({ count, role, firstLow, firstHigh: undefined, secondLow, secondHigh: undefined }, true);

      const pair = (i: number): string => `${firstLow[i]} ${secondLow[i]}`;
      const built = new Map(builds.toReversed().map((i) => [pair(i), i]));
      const defaults = new Map<number, number>();
      for (let i = 0; i < count; i++) {
        if (role[i] === 1) continue;
        let expected = built.get(pair(i));
        if (expected === undefined && secondLow[i] === 0) {
          expected = defaults.get(firstLow[i]!) ?? i;
          defaults.set(firstLow[i]!, expected);
        }
        expect(match[i]).toBe(expected ?? -1);
      }
      expect(duplicates).toEqual(repeated ? [[builds[7], builds[3]]] : []);
    });
  }
});
