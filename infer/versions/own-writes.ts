/**
 * Finds the versions that each transaction left on each row: the last committed one, and the last that it had made
 * before a statement of its own. O(versions log versions) to build. A look-up takes a binary search.
 */
import { NONE } from '../../core/index.ts';
import { KeyTable } from '../key-table.ts';
import type { VersionOrder } from './order.ts';
import { WRITE_OUTCOME } from './writers.ts';
import type { Writers } from './writers.ts';

/**
 * The writes of one transaction on one row: its committed write statements in order, and the latest version after each.
 */
interface Writes {
  readonly statements: number[];
  readonly versions: number[];
}

export class OwnWrites {
  private readonly order: VersionOrder;
  private readonly pairs = new KeyTable();
  private readonly lasts: number[] = [];
  private readonly writes: Writes[] = [];

  constructor(order: VersionOrder, writers: Writers, deletesCount: boolean) {
    this.order = order;
    const { pairs, lasts, writes } = this;
    const statements = Int32Array.from({ length: order.count }, (_, v) => writers.statement(order.txn[v], order.seq[v]));
    const inOrder = Int32Array.from(statements.keys()).sort((a, b) => statements[a] - statements[b] || a - b);
    for (const v of inOrder) {
      if (order.writeOutcome[v] !== WRITE_OUTCOME.committed || (order.dead[v] === 1 && !deletesCount)) continue;
      const pair = pairs.add(order.row[v], order.txn[v]);
      if (pair === lasts.length) {
        lasts.push(NONE);
        writes.push({ statements: [], versions: [] });
      }
      lasts[pair] = this.later(lasts[pair], v);
      if (statements[v] === NONE) continue;
      const of = writes[pair];
      of.statements.push(statements[v]);
      of.versions.push(this.later(of.versions.at(-1) ?? NONE, v));
    }
  }

  last(row: number, txn: number): number {
    const pair = this.pairs.find(row, txn);
    return pair < 0 ? NONE : this.lasts[pair];
  }

  /** Returns the version with the highest number that the transaction had left on the row before statement s. */
  lastBefore(row: number, txn: number, s: number): number {
    const pair = this.pairs.find(row, txn);
    if (pair < 0) return NONE;
    const { statements, versions } = this.writes[pair];
    let [low, high] = [0, statements.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (statements[middle] < s) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? NONE : versions[low - 1];
  }

  /** Returns the version of the higher write number. */
  private later(known: number, v: number): number {
    return known === NONE || this.order.seq[v] > this.order.seq[known] ? v : known;
  }
}
