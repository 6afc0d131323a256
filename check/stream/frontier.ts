/**
 * The facts that a stream keeps about the transactions that it has forgotten. For each key it keeps their one version
 * that none of them overwrote (its tip). It also keeps the values they wrote that no transaction may read any more.
 * O(1) a call, O(keys) memory.
 */
import { PairTable } from '../../graph/index.ts';
import { MaybeSet } from './maybe-set.ts';

const TIP = 1;
const GONE = 2;

export class Frontier {
  private readonly keys = new PairTable(1024);
  private tipLow = new Int32Array(1024);
  private tipHigh = new Int32Array(1024);
  /** The greatest value that is gone. If values come from counters, a greater one is certainly new. */
  private mostLow = new Int32Array(1024);
  private mostHigh = new Int32Array(1024);
  private flags = new Uint8Array(1024);
  private readonly gone = new MaybeSet();

  /** Returns the number of a key that a forgotten transaction touched, or -1. */
  find(keyLow: number, keyHigh: number): number {
    return this.keys.find(keyLow, keyHigh);
  }

  /** Returns the number of a key that a forgotten transaction touches. */
  touch(keyLow: number, keyHigh: number): number {
    const key = this.keys.add(keyLow, keyHigh);
    if (key >= this.flags.length) this.grow();
    return key;
  }

  get size(): number {
    return this.keys.size;
  }

  /** Tells whether a forgotten transaction wrote the key. If not, its first version is in force. */
  hasTip(key: number): boolean {
    return (this.flags[key] & TIP) !== 0;
  }

  isTip(key: number, low: number, high: number): boolean {
    return (this.flags[key] & TIP) !== 0 && this.tipLow[key] === low && this.tipHigh[key] === high;
  }

  /** Records a value that a forgotten transaction wrote and no forgotten one overwrote. */
  setTip(key: number, low: number, high: number): void {
    if (this.hasTip(key)) this.setGone(key, this.tipLow[key], this.tipHigh[key]);
    this.flags[key] |= TIP;
    this.tipLow[key] = low;
    this.tipHigh[key] = high;
  }

  /** Records a value of a forgotten transaction that was overwritten, or whose transaction aborted. */
  setGone(key: number, low: number, high: number): void {
    if ((this.flags[key] & GONE) === 0 || this.beyond(key, low, high)) {
      this.mostLow[key] = low;
      this.mostHigh[key] = high;
    }
    this.flags[key] |= GONE;
    this.gone.add(this.keys.lowOf(key), this.keys.highOf(key), low, high);
  }

  /** Returns false if no forgotten transaction wrote this value to the key, except as its tip. */
  maybeGone(keyLow: number, keyHigh: number, low: number, high: number): boolean {
    const key = this.keys.find(keyLow, keyHigh);
    if (key < 0 || (this.flags[key] & GONE) === 0 || this.beyond(key, low, high)) return false;
    return this.gone.has(keyLow, keyHigh, low, high);
  }

  private beyond(key: number, low: number, high: number): boolean {
    const most = this.mostHigh[key];
    return high > most || (high === most && low >>> 0 > this.mostLow[key] >>> 0);
  }

  private grow(): void {
    const wider = <T extends Int32Array | Uint8Array>(column: T, made: T): T => {
      made.set(column);
      return made;
    };
    const length = this.flags.length * 2;
    this.tipLow = wider(this.tipLow, new Int32Array(length));
    this.tipHigh = wider(this.tipHigh, new Int32Array(length));
    this.mostLow = wider(this.mostLow, new Int32Array(length));
    this.mostHigh = wider(this.mostHigh, new Int32Array(length));
    this.flags = wider(this.flags, new Uint8Array(length));
  }
}
