/**
 * Numbers pairs of 32-bit integers 0, 1, 2, ... in order of first appearance. It uses open addressing and linear
 * probing, and is at most half full. A call takes expected O(1), a pair 12 to 24 bytes. 64-bit keys, values and ids are
 * stored as two halves.
 */
export class PairTable {
  /** The number of distinct pairs. */
  size = 0;
  private low: Int32Array;
  private high: Int32Array;
  /** Each slot holds a pair's index + 1, or 0 if it is empty. */
  private slots: Int32Array;

  constructor(expected = 16) {
    let capacity = 16;
    while (capacity < expected) capacity *= 2;
    this.low = new Int32Array(capacity);
    this.high = new Int32Array(capacity);
    this.slots = new Int32Array(capacity * 2);
  }

  /** Returns the pair's number, a new one if it has none yet. */
  add(low: number, high: number): number {
    const mask = this.slots.length - 1;
    let slot = hashPair(low, high) & mask;
    for (let index = this.slots[slot]; index !== 0; index = this.slots[slot]) {
      if (this.low[index - 1] === low && this.high[index - 1] === high) return index - 1;
      slot = (slot + 1) & mask;
    }
    if (this.size === this.low.length) {
      this.grow();
      return this.add(low, high);
    }
    const index = this.size++;
    this.low[index] = low;
    this.high[index] = high;
    this.slots[slot] = index + 1;
    return index;
  }

  /** Returns the pair's number, or -1. */
  find(low: number, high: number): number {
    const mask = this.slots.length - 1;
    let slot = hashPair(low, high) & mask;
    for (let index = this.slots[slot]; index !== 0; index = this.slots[slot]) {
      if (this.low[index - 1] === low && this.high[index - 1] === high) return index - 1;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  lowOf(index: number): number {
    return this.low[index];
  }

  highOf(index: number): number {
    return this.high[index];
  }

  private grow(): void {
    const wider = new PairTable(this.low.length * 2);
    for (let i = 0; i < this.size; i++) wider.add(this.low[i], this.high[i]);
    this.low = wider.low;
    this.high = wider.high;
    this.slots = wider.slots;
  }
}

/** Mixes both halves into 32 bits. Every output bit depends on every input bit (murmur3's finisher). */
export function hashPair(low: number, high: number): number {
  let h = Math.imul(low, -1640531535) ^ Math.imul(high, -2048144777);
  h = Math.imul(h ^ (h >>> 16), -2048144789);
  h = Math.imul(h ^ (h >>> 13), -1028477387);
  return h ^ (h >>> 16);
}
