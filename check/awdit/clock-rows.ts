/** A pool of clock rows: fixed-width stretches of one array, handed out and taken back. O(width) per call. */
import { int32 } from '../../core/index-kv.ts';

/** Row 0 stands for "none". */
export class ClockRows {
  rows: Int32Array;
  private readonly width: number;
  private readonly unused = int32();
  private unusedCount = 0;
  private used = 1;

  constructor(width: number) {
    this.width = width;
    this.rows = new Int32Array(1024 * width);
  }

  get bytes(): number {
    return this.rows.byteLength;
  }

  /** A row of zeros. */
  take(): number {
    const row = this.allot();
    this.rows.fill(0, row * this.width, (row + 1) * this.width);
    return row;
  }

  copy(from: number): number {
    const row = this.allot();
    this.rows.copyWithin(row * this.width, from * this.width, (from + 1) * this.width);
    return row;
  }

  free(row: number): void {
    if (this.unusedCount === this.unused.length) this.unused.push(row);
    else this.unused.set(this.unusedCount, row);
    this.unusedCount++;
  }

  private allot(): number {
    if (this.unusedCount > 0) return this.unused.get(--this.unusedCount);
    if ((this.used + 1) * this.width > this.rows.length) {
      const wider = new Int32Array(Math.max(this.rows.length + 1024 * this.width, Math.floor(this.rows.length * 1.5)));
      wider.set(this.rows);
      this.rows = wider;
    }
    return this.used++;
  }
}
