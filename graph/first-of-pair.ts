/** The first place of each pair that two columns hold: what looks a statement up by transaction and write. O(1) expected a look-up. */
import { PairTable } from './pair-table.ts';

export class FirstOfPair {
  private readonly pairs: PairTable;
  private readonly places: Int32Array;

  /** Places whose second number is negative are left out: they hold no pair. */
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

  /** -1 where no place holds the pair. */
  find(first: number, second: number): number {
    const pair = this.pairs.find(first, second);
    return pair < 0 ? -1 : this.places[pair];
  }
}
