/**
 * What a covering array has to cover: pairs of values of two factors, those that can occur together in some cell. There are
 * tens of thousands, so a value is a number here and a pair is one too.
 */
import { IDLE, SLOTS } from './cells.ts';
import type { Cell, Choice, Factor } from './cells.ts';

export const FACTORS: readonly Factor[] = ['skeleton', 'world', 'begin', 'send', ...SLOTS];

/** A pair, as a number. */
export type Pair = number;

export class Pairs {
  private readonly numbers = new Map<string, number>();
  private readonly values: { readonly factor: Factor; readonly name: string }[] = [];

  /** Every pair that occurs in some cell; `mirrored`: where all sessions take the same forms. */
  of(cells: readonly Cell[], mirrored: boolean): ReadonlySet<Pair> {
    const all = cells.map(({ names, mirrored: alike }) =>
      FACTORS.map((factor) => [...(mirrored ? alike : names)[factor]].map((name) => this.numberOf(factor, name))),
    );
    const words = Math.ceil(this.values.length / 32);
    // Row by row the values that occur beside one, as bits: most pairs occur in hundreds of cells.
    const beside = new Uint32Array(this.values.length * words);
    const add = (one: number, bits: Uint32Array): void => bits.forEach((some, w) => (beside[one * words + w]! |= some));
    for (const values of all) {
      const bits = values.map((some) => bitsOf(some, words));
      for (const [a, some] of values.entries()) for (const one of some) for (const others of bits.slice(a + 1)) add(one, others);
    }
    const found = new Set<Pair>();
    for (let one = 0; one < this.values.length; one++)
      for (let other = 0; other < this.values.length; other++)
        if (((beside[one * words + (other >> 5)]! >>> (other & 31)) & 1) === 1) found.add(pairOf(one, other));
    return found;
  }

  in(choice: Choice): readonly Pair[] {
    const values = FACTORS.map((factor) => valueAt(choice, factor)).flatMap((name, f) =>
      name === IDLE.name ? [] : [this.numberOf(FACTORS[f]!, name)],
    );
    return values.flatMap((one, i) => values.slice(i + 1).map((other) => pairOf(one, other)));
  }

  /** The two values, by factor. */
  valuesOf(pair: Pair): ReadonlyMap<Factor, string> {
    return new Map(
      [Math.floor(pair / MOST_VALUES), pair % MOST_VALUES].map((value) => [this.values[value]!.factor, this.values[value]!.name]),
    );
  }

  private numberOf(factor: Factor, name: string): number {
    const key = `${factor}: ${name}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.values.push({ factor, name });
    this.numbers.set(key, this.values.length - 1);
    return this.values.length - 1;
  }
}

const MOST_VALUES = 100_000;
const pairOf = (one: number, other: number): Pair => one * MOST_VALUES + other;

function bitsOf(values: readonly number[], words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const value of values) bits[value >> 5]! |= 1 << (value & 31);
  return bits;
}

function valueAt({ cell, forms }: Choice, factor: Factor): string {
  if (factor === 'begin' || factor === 'send') return cell.way[factor]?.name ?? IDLE.name;
  return factor === 'skeleton' ? cell.skeleton.name : factor === 'world' ? cell.world.world.name : forms[factor].name;
}
