/**
 * Maps a key to an operation of one long transaction. It uses open addressing, and is reused from transaction to
 * transaction.
 */
import type { KvHistory } from '../../core/index.ts';

export class KeyTable {
  private readonly history: KvHistory;
  private table = new Int32Array(64);
  private mask = 63;

  constructor(history: KvHistory) {
    this.history = history;
  }

  reset(entries: number): void {
    let size = 64;
    while (size < 2 * entries) size *= 2;
    if (size > this.table.length) this.table = new Int32Array(size);
    else this.table.fill(0, 0, size);
    this.mask = size - 1;
  }

  get(op: number): number {
    return this.table[this.slot(op)] - 1;
  }

  /** Returns the operation stored before, or -1. */
  put(op: number): number {
    const slot = this.slot(op);
    const was = this.table[slot] - 1;
    this.table[slot] = op + 1;
    return was;
  }

  private slot(op: number): number {
    const { history, table, mask } = this;
    const high = history.keyHigh === undefined ? 0 : history.keyHigh[op];
    let h = Math.imul(history.keyLow[op], 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    h ^= h >>> 15;
    let slot = h & mask;
    while (table[slot] !== 0 && !sameKey(history, table[slot] - 1, op)) slot = (slot + 1) & mask;
    return slot;
  }
}

export function sameKey(history: KvHistory, a: number, b: number): boolean {
  return history.keyLow[a] === history.keyLow[b] && (history.keyHigh === undefined || history.keyHigh[a] === history.keyHigh[b]);
}
