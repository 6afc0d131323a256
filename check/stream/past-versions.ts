/**
 * Gathers the versions of forgotten transactions that the held ones read, anew for each judgement of a window. They
 * become the writes of one transaction before all others. All held transactions come after the forgotten ones, so one
 * transaction in their place adds no false cycle and hides none. O(operations visited).
 */
import { OP } from '../../core/index-kv.ts';
import type { Frontier } from './frontier.ts';
import type { PastWrites, StreamWindow } from './window.ts';

export class PastVersions implements PastWrites {
  count = 0;
  keyLow: Int32Array = new Int32Array(256);
  keyHigh: Int32Array = new Int32Array(256);
  valueLow: Int32Array = new Int32Array(256);
  valueHigh: Int32Array = new Int32Array(256);
  /** For each key of the frontier, the last judgement that gathered it. */
  private taken: Int32Array = new Int32Array(256);
  private judgement = 0;

  /**
   * Gathers from the first `runs` held transactions. Returns the column index of a read of a first version that a
   * forgotten transaction overwrote, or -1.
   */
  gather(window: StreamWindow, frontier: Frontier, runs: number): number {
    const { kind, keyLow, keyHigh, valueLow, valueHigh, runTxnLow, runTxnHigh } = window.columns;
    this.count = 0;
    this.judgement++;
    if (this.taken.length < frontier.size) this.taken = grown(this.taken, frontier.size);
    if (frontier.size === 0) return -1;
    let late = -1;
    for (let i = 0; i < runs; i++) {
      const run = window.run(i);
      if (runTxnLow[run] === -1 && runTxnHigh[run] === -1) continue; // a read of an aborted transaction demands nothing
      for (let op = window.opStart(i), end = window.opStart(i + 1); op < end; op++) {
        if (kind[op] === OP.write) continue;
        const key = frontier.find(keyLow[op], keyHigh[op]);
        if (key < 0 || !frontier.hasTip(key)) continue;
        if (!frontier.isTip(key, valueLow[op], valueHigh[op])) {
          if (valueLow[op] === 0 && valueHigh[op] === 0 && late < 0) late = op;
        } else if (this.taken[key] !== this.judgement) {
          this.taken[key] = this.judgement;
          this.push(keyLow[op], keyHigh[op], valueLow[op], valueHigh[op]);
        }
      }
    }
    return late;
  }

  private push(keyLow: number, keyHigh: number, low: number, high: number): void {
    const at = this.count++;
    if (at === this.keyLow.length) {
      this.keyLow = grown(this.keyLow, at + 1);
      this.keyHigh = grown(this.keyHigh, at + 1);
      this.valueLow = grown(this.valueLow, at + 1);
      this.valueHigh = grown(this.valueHigh, at + 1);
    }
    this.keyLow[at] = keyLow;
    this.keyHigh[at] = keyHigh;
    this.valueLow[at] = low;
    this.valueHigh[at] = high;
  }
}

function grown(column: Int32Array, least: number): Int32Array {
  const wider = new Int32Array(Math.max(least, column.length * 2));
  wider.set(column);
  return wider;
}
