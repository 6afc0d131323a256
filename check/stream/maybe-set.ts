/**
 * A set of 64-bit pairs in fixed memory that answers "certainly not" or "maybe" (Bloom 1970, in blocks of one cache
 * line). Forgotten transactions must not cost memory, and a "maybe" only makes an answer `unknown`. O(1) each. The set
 * has parts of growing size, as many as needed. A full part answers "maybe" for one absent pair in some ten thousand.
 * The last part takes all further pairs, and past some 20 million pairs its answers become "maybe" more and more often.
 */
import { hashPair } from '../../graph/index.ts';

const BLOCK_WORDS = 16;
const BITS = 8;
/** The number of words of each part. */
const PARTS = [1 << 16, 1 << 19, 1 << 22, 1 << 23] as const;
/** The number of bits for each pair until the next part is begun. */
const ROOM = 24;

export class MaybeSet {
  private readonly parts: Uint32Array[] = [];
  /** The number of pairs that the last part still takes. */
  private left = 0;

  add(aLow: number, aHigh: number, bLow: number, bHigh: number): void {
    if (this.left-- <= 0 && this.parts.length < PARTS.length) {
      const words = PARTS[this.parts.length];
      this.parts.push(new Uint32Array(words));
      this.left = (words * 32) / ROOM;
    }
    const words = this.parts[this.parts.length - 1];
    const block = blockOf(words, aLow, aHigh, bLow, bHigh);
    let bits = bitsOf(aLow, aHigh, bLow, bHigh);
    for (let i = 0; i < BITS; i++) {
      words[block + ((bits >>> 5) & 15)] |= 1 << (bits & 31);
      bits = next(bits);
    }
  }

  /** Returns false if the pair was certainly not added. */
  has(aLow: number, aHigh: number, bLow: number, bHigh: number): boolean {
    return this.parts.some((words) => {
      const block = blockOf(words, aLow, aHigh, bLow, bHigh);
      let bits = bitsOf(aLow, aHigh, bLow, bHigh);
      for (let i = 0; i < BITS; i++) {
        if ((words[block + ((bits >>> 5) & 15)] & (1 << (bits & 31))) === 0) return false;
        bits = next(bits);
      }
      return true;
    });
  }
}

function blockOf(words: Uint32Array, aLow: number, aHigh: number, bLow: number, bHigh: number): number {
  return ((hashPair(hashPair(aLow, aHigh), hashPair(bLow, bHigh)) >>> 0) & (words.length / BLOCK_WORDS - 1)) * BLOCK_WORDS;
}

/** The bits are mixed in another way than the block, so that the two are independent. */
function bitsOf(aLow: number, aHigh: number, bLow: number, bHigh: number): number {
  return hashPair(hashPair(bHigh ^ 0x5bd1e995, bLow), hashPair(aHigh, aLow ^ 0x27d4eb2f));
}

function next(bits: number): number {
  return hashPair(bits, 0x165667b1);
}
