/**
 * Draws keys 0 .. keys - 1 with a chosen skew, in O(log keys).
 * - uniform.
 * - zipfian: the probability is proportional to 1 / rank.
 * - hotspot: 80 of 100 accesses go to a fifth of the keys.
 * - exponential: each next tenth of the keys is about e times rarer, as in Jepsen's generator.
 */
import type { Random } from './random.ts';

export type Distribution = 'uniform' | 'zipfian' | 'hotspot' | 'exponential';

export const DISTRIBUTIONS: readonly Distribution[] = ['uniform', 'zipfian', 'hotspot', 'exponential'];

const PRECISION = 0x3fff_ffff;

export function keySampler(distribution: Distribution, keys: number, random: Random): () => number {
  const unit = (): number => random.int(0, PRECISION - 1) / PRECISION;
  switch (distribution) {
    case 'uniform':
      return () => random.int(0, keys - 1);
    case 'hotspot': {
      const hot = Math.max(1, Math.floor(keys / 5));
      return () => (hot === keys || random.chance(0.8) ? random.int(0, hot - 1) : random.int(hot, keys - 1));
    }
    case 'exponential':
      return () => Math.min(keys - 1, Math.floor((-Math.log(1 - unit()) / 10) * keys));
    case 'zipfian': {
      const upTo = new Float64Array(keys);
      let sum = 0;
      for (let k = 0; k < keys; k++) upTo[k] = sum += 1 / (k + 1);
      return () => {
        const wanted = unit() * sum;
        let low = 0;
        let high = keys - 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (upTo[middle]! <= wanted) low = middle + 1;
          else high = middle;
        }
        return low;
      };
    }
  }
}
