/**
 * The versions of forgotten transactions that the held ones read, gathered anew for each look at a window: they become
 * the writes of one transaction before all others. Whatever is held comes after what is forgotten, so that one
 * transaction in place of many draws no cycle that is not there, and hides none. O(operations looked at).
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
  /** Per key of the frontier: the look that has it already. */
  private taken: Int32Array = new Int32Array(256);
  private look = 0;

  /** Of the first `runs` held transactions; says which column index reads a first version that a forgotten transaction overwrote, or -1. */
  gather(window: StreamWindow, frontier: Frontier, runs: number): number {
    const { kind, keyLow, keyHigh, valueLow, valueHigh, runTxnLow, runTxnHigh } = window.columns;
    this.count = 0;
    this.look++;
    if (this.taken.length < frontier.size) this.taken = grown(this.taken, frontier.size);
    if (frontier.size === 0) return -1;
    let late = -1;
    for (let i = 0; i < runs; i++) {
      const run = window.run(i);
      if (runTxnLow[run] === -1 && runTxnHigh[run] === -1) continue; // what an aborted one reads demands nothing
      for (let op = window.opStart(i), end = window.opStart(i + 1); op < end; op++) {
        if (kind[op] === OP.write) continue;
        const key = frontier.find(keyLow[op], keyHigh[op]);
        if (key < 0 || !frontier.hasTip(key)) continue;
        if (!frontier.isTip(key, valueLow[op], valueHigh[op])) {
          if (valueLow[op] === 0 && valueHigh[op] === 0 && late < 0) late = op;
        } else if (this.taken[key] !== this.look) {
          this.taken[key] = this.look;
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
