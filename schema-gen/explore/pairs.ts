/**
 * The pairs that a covering array has to cover: values of two factors that can occur together in some candidate. There
 * are tens of thousands, so a value is a number here and a pair is one too.
 */
import { SLOTS } from './skeleton-slots.ts';
import type { SkeletonSlots, Choice, Factor } from './skeleton-slots.ts';
import { IDLE } from './applicable-forms.ts';

export const FACTORS: readonly Factor[] = ['skeleton', 'world', 'begin', 'send', ...SLOTS];

/** A pair, as a number. */
export type Pair = number;

export class Pairs {
  private readonly numbers = Object.fromEntries(FACTORS.map((factor) => [factor, new Map<string, number>()])) as Readonly<
    Record<Factor, Map<string, number>>
  >;
  private readonly values: { readonly factor: Factor; readonly name: string }[] = [];

  /**
   * Returns every pair that occurs in some candidate. `mirrored` asks for those where all sessions take the same forms.
   */
  of(candidates: readonly SkeletonSlots[], mirrored: boolean): ReadonlySet<Pair> {
    const numbers = FACTORS.map((factor) => once((names: ReadonlySet<string>) => [...names].map((name) => this.numberOf(factor, name))));
    const all = candidates.map(({ names, mirrored: alike }) => FACTORS.map((factor, f) => numbers[f]!((mirrored ? alike : names)[factor])));
    const words = Math.ceil(this.values.length / 32);
    const bitsIn = once((values: readonly number[]) => bitsOf(values, words));
    // Row by row, the bits are the values that occur beside one. Most pairs occur in hundreds of candidates, many of
    // which have the same lists.
    const beside = new Uint32Array(this.values.length * words);
    const add = once((some: readonly number[]) =>
      once((others: readonly number[]) => {
        const bits = bitsIn(others);
        for (const one of some) for (let w = 0; w < words; w++) beside[one * words + w]! |= bits[w]!;
        return true;
      }),
    );
    for (const values of all) values.forEach((some, a) => values.slice(a + 1).forEach(add(some)));
    const found = new Set<Pair>();
    for (let one = 0; one < this.values.length; one++)
      for (let other = 0; other < this.values.length; other++)
        if (((beside[one * words + (other >> 5)]! >>> (other & 31)) & 1) === 1) found.add(pairOf(one, other));
    return found;
  }

  in(choice: Choice): readonly Pair[] {
    const values: number[] = [];
    for (const factor of FACTORS) {
      const name = valueAt(choice, factor);
      if (name !== IDLE.name) values.push(this.numberOf(factor, name));
    }
    const pairs: Pair[] = [];
    for (let i = 0; i < values.length; i++) for (let k = i + 1; k < values.length; k++) pairs.push(pairOf(values[i]!, values[k]!));
    return pairs;
  }

  /** Returns the two values, by factor. */
  valuesOf(pair: Pair): ReadonlyMap<Factor, string> {
    return new Map(
      [Math.floor(pair / MOST_VALUES), pair % MOST_VALUES].map((value) => [this.values[value]!.factor, this.values[value]!.name]),
    );
  }

  private numberOf(factor: Factor, name: string): number {
    const numbers = this.numbers[factor];
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const number = this.values.push({ factor, name }) - 1;
    numbers.set(name, number);
    return number;
  }
}

const MOST_VALUES = 100_000;
const pairOf = (one: number, other: number): Pair => one * MOST_VALUES + other;

/** Computes the result for the same object only once. */
function once<K extends object, V>(of: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? of(key);
    known.set(key, value);
    return value;
  };
}

function bitsOf(values: readonly number[], words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const value of values) bits[value >> 5]! |= 1 << (value & 31);
  return bits;
}

function valueAt({ candidate, forms }: Choice, factor: Factor): string {
  if (factor === 'begin' || factor === 'send') return candidate.way[factor]?.name ?? IDLE.name;
  return factor === 'skeleton' ? candidate.skeleton.name : factor === 'world' ? candidate.fixture.fixture.name : forms[factor].name;
}
