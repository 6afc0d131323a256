/**
 * Keys and values of formats that allow more than integers: when all are 64-bit integers they stand for themselves,
 * otherwise every distinct one gets a number, and the history remembers what it was called.
 */
import { printEdn } from './edn.ts';
import type { EdnValue } from './edn.ts';

export class Numbering {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];
  private integers = true;

  /** First pass: look at every value. */
  see(value: EdnValue): void {
    const text = printEdn(value);
    if (this.numbers.has(text)) return;
    this.numbers.set(text, this.names.push(text) - 1);
    if (!((typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value))) this.integers = false;
  }

  get plain(): boolean {
    return this.integers;
  }

  /** Second pass: the number of a value that was seen. */
  of(value: EdnValue): number | bigint {
    return this.integers ? (value as number | bigint) : (this.numbers.get(printEdn(value)) ?? -1);
  }

  nameOf(number: number): string {
    return this.names[number] ?? String(number);
  }
}
