/** A pool of clock rows: fixed-width parts of one array that are taken and given back. O(width) per call. */
import { int32 } from '../../core/index-kv.ts';

/** The number of words at the start. */
const FIRST = 1 << 21;

/** Row 0 stands for "none". */
export class ClockRows {
  rows: Int32Array;
  private readonly width: number;
  private readonly unused = int32();
  private unusedCount = 0;
  private used = 1;

  /** `most` is the number of rows that can ever be in use. Memory that no row uses is not touched. */
  constructor(width: number, most: number) {
    this.width = width;
    this.rows = new Int32Array(Math.min((most + 1) * width, Math.max(1024 * width, FIRST)));
  }

  get bytes(): number {
    return this.rows.byteLength;
  }

  /** Returns a row of zeros. */
  take(): number {
    const row = this.allot();
    this.rows.fill(0, row * this.width, (row + 1) * this.width);
    return row;
  }

  free(row: number): void {
    if (this.unusedCount === this.unused.length) this.unused.push(row);
    else this.unused.set(this.unusedCount, row);
    this.unusedCount++;
  }

  /** Returns a row with arbitrary content. */
  allot(): number {
    if (this.unusedCount > 0) return this.unused.get(--this.unusedCount);
    if ((this.used + 1) * this.width > this.rows.length) {
      const wider = new Int32Array(Math.max(this.rows.length + 1024 * this.width, Math.floor(this.rows.length * 1.5)));
      wider.set(this.rows);
      this.rows = wider;
    }
    return this.used++;
  }
}
