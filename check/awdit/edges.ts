/**
 * Receives the inferred commit order of the saturations. The first run only counts: an edge that goes forward in the
 * numbering is not stored, and if all do, that numbering is a commit order and the history passes. Otherwise a second
 * run collects the edges, each with the read that it rests on.
 */
import { int32 } from '../../core/index-kv.ts';
import type { Growable } from '../../core/index.ts';

export class InferredEdges {
  /** The number of edges against the numbering, those into INITIAL included. */
  backward = 0;
  readonly collecting: boolean;
  readonly from: Growable<Int32Array> = int32();
  /** The target may be INITIAL. */
  readonly to: Growable<Int32Array> = int32();
  /** The read of `to`'s write by the transaction that also saw `from`. */
  readonly read: Growable<Int32Array> = int32();

  constructor(collecting: boolean) {
    this.collecting = collecting;
  }

  add(from: number, to: number, read: number): void {
    if (from >= to) this.backward++;
    if (this.collecting) this.keep(from, to, read);
  }

  private keep(from: number, to: number, read: number): void {
    this.from.push(from);
    this.to.push(to);
    this.read.push(read);
  }
}
