/** Per (row, transaction) the versions it left there, as a linked list, and the last committed of them. O(versions), expected. */
import { NONE } from '../../core/index.ts';
import { KeyTable } from '../key-table.ts';
import type { VersionOrder } from './order.ts';
import { FATE } from './writers.ts';

export class OwnWrites {
  /** Per version the one that the same transaction left on the same row and that follows in the list; NONE at its end. */
  readonly next: Int32Array;
  private readonly pairs = new KeyTable();
  private readonly heads: number[] = [];
  private readonly lasts: number[] = [];

  constructor(order: VersionOrder, deletesCount: boolean) {
    const { pairs, heads, lasts } = this;
    this.next = new Int32Array(order.count).fill(NONE);
    for (let v = 0; v < order.count; v++) {
      if (order.dead[v] === 1 && !deletesCount) continue;
      const pair = pairs.add(order.row[v], order.txn[v]);
      if (pair === heads.length) {
        heads.push(NONE);
        lasts.push(NONE);
      }
      this.next[v] = heads[pair];
      heads[pair] = v;
      if (order.fate[v] === FATE.committed && (lasts[pair] === NONE || order.seq[v] > order.seq[lasts[pair]])) lasts[pair] = v;
    }
  }

  first(row: number, txn: number): number {
    return this.at(this.heads, row, txn);
  }

  last(row: number, txn: number): number {
    return this.at(this.lasts, row, txn);
  }

  private at(list: readonly number[], row: number, txn: number): number {
    const pair = this.pairs.find(row, txn);
    return pair < 0 ? NONE : list[pair];
  }
}
