import { describe, expect, test } from 'vitest';
import { joinPairs } from '../../../graph/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';

describe('joining pairs', () => {
  for (const [count, wide] of [[40, false], [40, true], [60_000, false], [60_000, true]] as const) {
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
});
