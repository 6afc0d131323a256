/**
 * The one implementation of core's Random: xoroshiro128+ (pure-rand), its 128 bits of state hashed from a text. A
 * stream is named by its path (the seed, then the labels of its forks), so a fork never depends on earlier draws. One
 * transaction more or less in a session leaves all other sessions as they were.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { InternalError, type Random } from '../core/index.ts';

/** Separates the parts of a path. No label contains it. */
const SEPARATOR = '\u001f';
const TWO_32 = 0x1_0000_0000;

export function createRandom(seed: string): Random {
  const source = xoroshiro128plusFromState(hash128(seed));
  const unit = (): number => (source.next() >>> 0) / TWO_32;
  const int = (min: number, max: number): number => {
    if (!(min <= max)) throw new InternalError(`random.int got the empty range ${min}..${max}`);
    return min === max ? min : uniformInt(source, min, max);
  };
  return {
    int,
    chance: (p) => unit() < p,
    pick: (items) => {
      if (items.length === 0) throw new InternalError('random.pick got an empty list');
      return items[int(0, items.length - 1)]!;
    },
    weighted: (weights) => pickWeighted(weights, unit()),
    shuffle: (items) => {
      const copy = [...items];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(0, i);
        const item = copy[i]!;
        copy[i] = copy[j]!;
        copy[j] = item;
      }
      return copy;
    },
    fork: (label) => createRandom(seed + SEPARATOR + label),
  };
}

function pickWeighted<K extends string>(weights: Readonly<Record<K, number>>, unit: number): K {
  let total = 0;
  for (const key in weights) total += weights[key];
  if (!(total > 0)) throw new InternalError(`random.weighted got no positive weight in ${JSON.stringify(weights)}`);
  let rest = unit * total;
  let last: K | undefined;
  for (const key in weights) {
    if (weights[key] <= 0) continue;
    last = key;
    rest -= weights[key];
    if (rest < 0) return key;
  }
  return last!; // rounding left a remainder behind the last weight
}

/**
 * Hashes into four parts of 32 bits. Every character goes into each, and at the end they are mixed with one another.
 */
function hash128(text: string): number[] {
  const lanes = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  const factors = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul(lanes[lane]! ^ code, factors[lane]!);
      lanes[lane] = mixed ^ (mixed >>> 15);
    }
  }
  for (let lane = 0; lane < 8; lane++) lanes[lane & 3] = avalanche(lanes[lane & 3]! + lanes[(lane + 1) & 3]! + lane);
  return lanes;
}

function avalanche(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return (h ^ (h >>> 16)) | 0;
}
