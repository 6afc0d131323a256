/**
 * The keys that one large reader has read so far, with the two earliest distinct writers per key in program order. It
 * also tells which of its reads is the first of each writer.
 */
import { INITIAL, writesKey } from './state.ts';
import type { AwditState } from './state.ts';

/** Readers of up to this many reads need no set. */
export const FEW = 24;
const NONE = -9;
/** The number of steps along a list that cost as much as one look-up in a hash table. */
const LOOKUP_COST = 8;

export class ReadSet {
  /**
   * For each slot, the writer read earliest (so far, going backwards) with its read, and the next distinct writer after
   * it.
   */
  earliest: Int32Array = new Int32Array(64);
  earliestRead: Int32Array = new Int32Array(64);
  second: Int32Array = new Int32Array(64);
  secondRead: Int32Array = new Int32Array(64);
  /** The result of the last intersect. */
  matches: Int32Array = new Int32Array(64);
  private readonly state: AwditState;
  private keys: Int32Array = new Int32Array(64);
  private size = 0;
  private slotOfKey: Int32Array | undefined;
  /** One bit per key in the set: small enough for the nearest cache. */
  private bits: Int32Array | undefined;
  private firstRead: Int32Array | undefined;

  constructor(state: AwditState) {
    this.state = state;
  }

  clear(): void {
    this.slotOfKey ??= new Int32Array(this.state.keyCount);
    this.bits ??= new Int32Array((this.state.keyCount >>> 5) + 1);
    for (let slot = 0; slot < this.size; slot++) this.bits[this.keys[slot] >>> 5] = 0;
    this.size = 0;
  }

  /** Returns the key's slot, a new one without a writer if it has none. */
  slotOf(key: number): number {
    if (this.has(key)) return (this.slotOfKey as Int32Array)[key];
    if (this.size === this.keys.length) this.grow();
    const slot = this.size++;
    this.keys[slot] = key;
    (this.slotOfKey as Int32Array)[key] = slot;
    (this.bits as Int32Array)[key >>> 5] |= 1 << (key & 31);
    this.earliest[slot] = NONE;
    this.earliestRead[slot] = -1;
    this.second[slot] = NONE;
    this.secondRead[slot] = -1;
    return slot;
  }

  private has(key: number): boolean {
    return (((this.bits as Int32Array)[key >>> 5] >>> (key & 31)) & 1) === 1;
  }

  /**
   * Puts the slots of the keys that transaction t writes into `matches`, and returns their number. The cost is that of
   * the smaller set.
   */
  intersect(t: number): number {
    const { state, keys, size } = this;
    const { large, key, from, opStart, opEnd } = state;
    const { kind } = state.history;
    const place = large === undefined ? 0 : large.place[t];
    if (large === undefined || place === 0) {
      let found = 0;
      for (let o = opStart[t]; o < opEnd[t]; o++) {
        if (kind[o] !== 1 || from[o] !== 1 || !this.has(key[o])) continue;
        found = this.match(found, (this.slotOfKey as Int32Array)[key[o]]);
      }
      return found;
    }
    const start = large.listStart[place - 1];
    const end = large.listStart[place];
    // A step along the list costs a fraction of a look-up in the table.
    if (end - start <= size * LOOKUP_COST) return this.matchList(large.list, start, end);
    let found = 0;
    for (let slot = 0; slot < size; slot++) if (writesKey(state, t, keys[slot])) found = this.match(found, slot);
    return found;
  }

  /** Long transactions spend most of their time in this loop. It tests one bit per key, and few are set. */
  private matchList(list: Int32Array, start: number, end: number): number {
    const bits = this.bits as Int32Array;
    const slotOfKey = this.slotOfKey as Int32Array;
    let found = 0;
    for (let i = start; i < end; i++) {
      const key = list[i];
      if (((bits[key >>> 5] >>> (key & 31)) & 1) === 1) found = this.match(found, slotOfKey[key]);
    }
    return found;
  }

  private match(found: number, slot: number): number {
    this.matches[found] = slot;
    return found + 1;
  }

  markFirstReads(t3: number): void {
    const { from, opStart, opEnd, txnCount } = this.state;
    const { kind } = this.state.history;
    this.firstRead ??= new Int32Array(txnCount);
    for (let o = opEnd[t3] - 1; o >= opStart[t3]; o--) {
      if (kind[o] !== 1 && from[o] > INITIAL) this.firstRead[from[o]] = o;
    }
  }

  isFirstRead(writer: number, read: number): boolean {
    return (this.firstRead as Int32Array)[writer] === read;
  }

  private grow(): void {
    const wider = (column: Int32Array): Int32Array => {
      const result = new Int32Array(column.length * 2);
      result.set(column);
      return result;
    };
    this.keys = wider(this.keys);
    this.matches = wider(this.matches);
    this.earliest = wider(this.earliest);
    this.earliestRead = wider(this.earliestRead);
    this.second = wider(this.second);
    this.secondRead = wider(this.secondRead);
  }
}
