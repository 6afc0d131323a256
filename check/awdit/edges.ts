/**
 * Where the saturations put the commit order that they infer. First only a count: an edge that goes forward in the
 * numbering needs no storing, and if all do, that numbering is a commit order and the history passes. Only otherwise
 * does a second run collect the edges, each with the read it rests on.
 */
import { int32 } from '../../core/index-kv.ts';
import type { Growable } from '../../core/index.ts';

export class InferredEdges {
  /** Edges against the numbering (also those into INITIAL). */
  backward = 0;
  readonly collecting: boolean;
  readonly from: Growable<Int32Array> = int32();
  /** May be INITIAL. */
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
