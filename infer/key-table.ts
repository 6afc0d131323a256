/**
 * Gives dense numbers to keys of up to four integers. It uses open addressing over typed arrays, so that no object and
 * no Map is made per key. Numbers are given in order of arrival. A call takes expected O(1).
 */
import { Growable } from '../core/index.ts';

const ints = (): Growable<Int32Array> => new Growable((n) => new Int32Array(n));

export class KeyTable {
  readonly a: Growable<Int32Array> = ints();
  readonly b: Growable<Int32Array> = ints();
  readonly c: Growable<Int32Array> = ints();
  readonly d: Growable<Int32Array> = ints();
  private slots: Int32Array = new Int32Array(1024).fill(-1);

  get size(): number {
    return this.a.length;
  }

  /** Returns the key's number, or -1. */
  find(a: number, b: number, c = 0, d = 0): number {
    return this.slots[this.slot(a, b, c, d)];
  }

  /** Returns the key's number. A new key gets a new one, which equals the size before the call. */
  add(a: number, b: number, c = 0, d = 0): number {
    const slot = this.slot(a, b, c, d);
    const known = this.slots[slot];
    if (known >= 0) return known;
    const id = this.a.push(a);
    this.b.push(b);
    this.c.push(c);
    this.d.push(d);
    this.slots[slot] = id;
    if (this.size * 2 > this.slots.length) this.widen();
    return id;
  }

  private slot(a: number, b: number, c: number, d: number): number {
    const mask = this.slots.length - 1;
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x27d4eb2f);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    for (let i = (hash ^ (hash >>> 13)) & mask; ; i = (i + 1) & mask) {
      const id = this.slots[i];
      if (id < 0) return i;
      if (this.a.get(id) === a && this.b.get(id) === b && this.c.get(id) === c && this.d.get(id) === d) return i;
    }
  }

  private widen(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    for (let id = 0; id < this.size; id++) {
      this.slots[this.slot(this.a.get(id), this.b.get(id), this.c.get(id), this.d.get(id))] = id;
    }
  }
}
