/**
 * Numbers keys and values of formats that allow more than integers. If all are 64-bit integers, they stand for
 * themselves. Otherwise every distinct one gets a number, and the history remembers its name.
 */
import { printEdn } from './edn.ts';
import type { EdnValue } from './edn.ts';

export class Numbering {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];
  private integers = true;

  /** The first pass looks at every value. */
  see(value: EdnValue): void {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return;
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) this.integers = false;
  }

  get plain(): boolean {
    return this.integers;
  }

  /** The second pass returns the number of a value, in order of first use unless all are integers. */
  of(value: EdnValue): number | bigint {
    if (this.integers) return value as number | bigint;
    const text = printEdn(value);
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, (number = this.names.push(text) - 1));
    return number;
  }

  nameOf(number: number): string {
    return this.names[number] ?? String(number);
  }
}
