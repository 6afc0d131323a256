/**
 * Finds the first place of each pair that two columns hold. It serves to look a statement up by transaction and write.
 * A look-up takes expected O(1).
 */
import { PairTable } from './pair-table.ts';

export class FirstOfPair {
  private readonly pairs: PairTable;
  private readonly places: Int32Array;

  /** Places whose second number is negative hold no pair and are skipped. */
  constructor(count: number, first: ArrayLike<number>, second: ArrayLike<number>) {
    let held = 0;
    for (let i = 0; i < count; i++) if (second[i] >= 0) held++;
    this.pairs = new PairTable(held);
    this.places = new Int32Array(held);
    for (let i = 0; i < count; i++) {
      if (second[i] < 0) continue;
      const known = this.pairs.size;
      if (this.pairs.add(first[i], second[i]) === known) this.places[known] = i;
    }
  }

  /** Returns -1 if no place holds the pair. */
  find(first: number, second: number): number {
    const pair = this.pairs.find(first, second);
    return pair < 0 ? -1 : this.places[pair];
  }
}
