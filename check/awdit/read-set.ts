/**
 * The keys that one large reader has read so far, as a sparse set over all keys (clearing is O(1)), with the two
 * po-earliest distinct writers per key; and which of its reads is the first of each writer.
 */
import { INITIAL, writesKey } from './state.ts';
import type { AwditState } from './state.ts';

/** Readers of up to this many reads need no set. */
export const FEW = 24;
const NONE = -9;

export class ReadSet {
  /** Per slot: the writer read earliest (so far, going backwards) and the read; the next distinct one after it. */
  earliest: Int32Array = new Int32Array(64);
  earliestRead: Int32Array = new Int32Array(64);
  second: Int32Array = new Int32Array(64);
  secondRead: Int32Array = new Int32Array(64);
  private readonly state: AwditState;
  private keys: Int32Array = new Int32Array(64);
  private size = 0;
  private slotOfKey: Int32Array | undefined;
  private firstRead: Int32Array | undefined;

  constructor(state: AwditState) {
    this.state = state;
  }

  clear(): void {
    this.size = 0;
    this.slotOfKey ??= new Int32Array(this.state.keyCount);
  }

  /** The key's slot, a new one with no writer if it has none. */
  slotOf(key: number): number {
    const found = this.find(key);
    if (found >= 0) return found;
    if (this.size === this.keys.length) this.grow();
    const slot = this.size++;
    this.keys[slot] = key;
    (this.slotOfKey as Int32Array)[key] = slot;
    this.earliest[slot] = NONE;
    this.earliestRead[slot] = -1;
    this.second[slot] = NONE;
    this.secondRead[slot] = -1;
    return slot;
  }

  find(key: number): number {
    const slot = (this.slotOfKey as Int32Array)[key];
    return slot < this.size && this.keys[slot] === key ? slot : -1;
  }

  /** Calls visit(slot) for every key of the set that transaction t writes; costs the smaller of the two sets. */
  intersect(t: number, visit: (slot: number) => void): void {
    const { state } = this;
    const { large, key, opStart, opEnd } = state;
    const { kind } = state.history;
    const place = large === undefined ? 0 : large.place[t];
    if (large !== undefined && place !== 0) {
      const start = large.listStart[place - 1];
      const end = large.listStart[place];
      if (end - start > this.size) {
        for (let slot = 0; slot < this.size; slot++) if (writesKey(state, t, this.keys[slot])) visit(slot);
        return;
      }
      const slotOfKey = this.slotOfKey as Int32Array;
      const { size, keys } = this;
      const { list } = large;
      for (let i = start; i < end; i++) {
        const slot = slotOfKey[list[i]];
        if (slot < size && keys[slot] === list[i]) visit(slot);
      }
      return;
    }
    for (let o = opStart[t]; o < opEnd[t]; o++) {
      if (kind[o] !== 1 || state.from[o] !== 1) continue;
      const slot = this.find(key[o]);
      if (slot >= 0) visit(slot);
    }
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
    this.earliest = wider(this.earliest);
    this.earliestRead = wider(this.earliestRead);
    this.second = wider(this.second);
    this.secondRead = wider(this.secondRead);
  }
}
