/**
 * Reads plume / PolySI / MTC / IsoVista text, `r(KEY,VALUE,SESSION,TXN)` a line, straight from chunks of bytes into the
 * columns of a KvHistory. It makes no string, and never holds the whole file in memory. The sequential reader takes any
 * stream. The parallel one (plumeProgram) needs positions: threads take blocks of the file in turn. A block begins at
 * the first transaction that begins in it, so that no transaction is split.
 */
import { UsageError } from '../../../core/index-kv.ts';
import type { KvHistory } from '../../../core/index.ts';
import type { Steps, ThreadGroup } from '../../threads/thread-group.ts';
import { assemblePlume, plumeHistory } from './assemble.ts';
import type { PlumeStretch } from './assemble.ts';
import { LEAST_LINE, SLACK, emptyCursor, plumeColumns, widerColumns } from './columns.ts';
import { PlumeLineError, plumeLine, plumeLineContinues } from './line.ts';
import type { PlumeColumns, PlumeCursor } from './line.ts';
import { plumeLines } from './lines.ts';

/** Fills the buffer with the next bytes. Returns the number of bytes read, 0 at the end. */
export type ReadNext = (buffer: Uint8Array) => number;
/** Fills the buffer from a position of the file. */
export type ReadAt = (buffer: Uint8Array, position: number) => number;

export interface PlumeOptions {
  /** The file name for messages. */
  readonly file?: string;
  /** The size in bytes, if known. The columns are then allocated once. */
  readonly size?: number;
  readonly progress?: (bytes: number) => void;
}

const CHUNK = 1 << 20;
const BLOCK = 1 << 22;

export function parsePlume(read: ReadNext, options: PlumeOptions = {}): KvHistory {
  const memory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes);
  let capacity = Math.ceil((options.size ?? 1 << 20) / LEAST_LINE) + SLACK;
  let columns = plumeColumns(capacity, memory);
  const cursor = emptyCursor(0, 0);
  let buffer = new Uint8Array(CHUNK);
  let kept = 0;
  let total = 0;
  try {
    for (;;) {
      const got = read(buffer.subarray(kept));
      total += got;
      let end = kept + got;
      if (got === 0) {
        if (kept === 0) break;
        end = kept;
      }
      // A last line without a newline is read on its own.
      const whole = got === 0 ? end : buffer.subarray(0, end).lastIndexOf(10) + 1;
      const needed = cursor.op + Math.ceil(whole / LEAST_LINE) + SLACK;
      if (needed > capacity) {
        capacity = Math.max(needed, capacity * 2);
        columns = widerColumns(columns, plumeColumns(capacity, memory));
      }
      if (got === 0) plumeLine(columns, cursor, buffer, 0, end);
      else plumeLines(columns, cursor, buffer, 0, whole);
      if (got === 0) break;
      buffer.copyWithin(0, whole, end);
      kept = end - whole;
      if (kept === buffer.length) {
        const wider = new Uint8Array(buffer.length * 2);
        wider.set(buffer);
        buffer = wider;
      }
      options.progress?.(total);
    }
  } catch (error) {
    if (!(error instanceof PlumeLineError)) throw error;
    throw new UsageError(
      `${options.file ?? 'history'}: line ${cursor.op + cursor.emptyLines + 1}: got ${error.got}, expected ${error.expected}`,
    );
  }
  const stretch = { op: 0, ops: cursor.op, run: 0, runs: cursor.run };
  return plumeHistory(assemblePlume(columns, [stretch], cursor.wideKey === 1, cursor.wideValue === 1, memory));
}

/** The number of words per block in the table of stretches. */
const WORDS = 6;

/**
 * Reads the same history with a group of threads. `readAt` is called on every thread. A bad line is reported without
 * its number.
 */
export function* plumeProgram(
  threadGroup: ThreadGroup,
  readAt: ReadAt,
  size: number,
  progress?: (bytes: number) => void,
  blockSize: number = BLOCK,
): Steps<KvHistory> {
  const memory = (bytes: number): ArrayBuffer | SharedArrayBuffer => threadGroup.memory(bytes);
  const blocks = Math.max(1, Math.ceil(size / blockSize));
  const shared = yield* threadGroup.share(() => ({
    columns: plumeColumns(Math.ceil(size / LEAST_LINE) + SLACK, memory),
    table: new Float64Array(memory(blocks * WORDS * 8)),
  }));
  const { columns, table } = shared;
  const buffer = new Uint8Array(CHUNK + 4096);
  yield* threadGroup.loop(blocks, (block) => {
    const cursor = parseBlock(columns, readAt, buffer, block * blockSize, Math.min(size, (block + 1) * blockSize), size);
    if (cursor !== undefined)
      table.set(
        [cursor.opBase, cursor.op - cursor.opBase, cursor.runBase, cursor.run - cursor.runBase, cursor.wideKey, cursor.wideValue],
        block * WORDS,
      );
    progress?.(Math.min(size, (block + 1) * blockSize));
  });
  const parts = yield* threadGroup.share(() => {
    const stretches: PlumeStretch[] = [];
    let wideKey = false;
    let wideValue = false;
    for (let at = 0; at < table.length; at += WORDS) {
      stretches.push({ op: table[at], ops: table[at + 1], run: table[at + 2], runs: table[at + 3] });
      wideKey ||= table[at + 4] === 1;
      wideValue ||= table[at + 5] === 1;
    }
    return assemblePlume(columns, stretches, wideKey, wideValue, memory);
  });
  return plumeHistory(parts);
}

interface BlockCursor extends PlumeCursor {
  readonly opBase: number;
  readonly runBase: number;
}

/**
 * Parses the block from p to q. Let first(p) be the first line (not an empty one) that begins at or after p, and
 * boundary(p) the first line after it that begins another run (boundary(0) = 0). The block holds the lines from
 * boundary(p) to boundary(q).
 */
function parseBlock(
  columns: PlumeColumns,
  readAt: ReadAt,
  scratch: Uint8Array,
  from: number,
  to: number,
  size: number,
): BlockCursor | undefined {
  const window = new Window(readAt, scratch, size);
  let start = 0;
  if (from > 0) {
    const first = window.lineFrom(from - 1);
    if (first >= to) return undefined;
    const probe = emptyCursor(0, 0);
    start = window.runEnd(first, probe, true);
    const beyond = window.lineFrom(to - 1);
    // The run that begins before this block also extends beyond its end.
    if (start > beyond || start >= size) return undefined;
  }
  const base = Math.ceil(start / LEAST_LINE);
  const cursor = { ...emptyCursor(base, base), opBase: base, runBase: base };
  const last = to < size ? window.lineFrom(to - 1) : size;
  // The whole lines of the block are read chunk by chunk.
  let at = start;
  while (at < last) {
    const { bytes, offset, end } = window.load(at, last);
    plumeLines(columns, cursor, bytes, offset, end);
    at += end - offset;
  }
  // The line that crosses the border, and the rest of its run, come last.
  if (last < size) window.finishRun(Math.max(at, last), columns, cursor);
  return cursor;
}

/** A part of the file in memory that moves forward as needed. Positions are those of the file. */
class Window {
  private readonly readAt: ReadAt;
  private readonly size: number;
  private bytes: Uint8Array;
  private start = 0;
  private length = 0;

  constructor(readAt: ReadAt, scratch: Uint8Array, size: number) {
    this.readAt = readAt;
    this.bytes = scratch;
    this.size = size;
  }

  /** Loads whole lines from `at` (a line's start), at most up to `limit` (also a line's start). */
  load(at: number, limit: number): { bytes: Uint8Array; offset: number; end: number } {
    this.fill(at, CHUNK);
    for (;;) {
      const held = Math.min(limit, this.start + this.length) - this.start;
      if (this.start + held === limit) {
        // The last line of the file may lack its newline, which the fast reader needs.
        if (limit === this.size && this.bytes[held - 1] !== 10) {
          this.bytes[held] = 10;
          return { bytes: this.bytes, offset: 0, end: held + 1 };
        }
        return { bytes: this.bytes, offset: 0, end: held };
      }
      const whole = this.bytes.subarray(0, held).lastIndexOf(10) + 1;
      if (whole > 0) return { bytes: this.bytes, offset: 0, end: whole };
      this.fill(at, this.length * 2);
    }
  }

  /** Returns the first line, not an empty one, that begins after `position`. */
  lineFrom(position: number): number {
    for (let line = this.nextLine(position); ;) {
      if (line >= this.size) return this.size;
      const { offset, end } = this.line(line);
      for (let i = offset; i < end; i++) if (!isSpace(this.bytes[i])) return line;
      line = this.start + end;
    }
  }

  private nextLine(position: number): number {
    for (let at = position; at < this.size;) {
      if (at < this.start || at >= this.start + this.length) this.fill(at, 4096);
      const found = this.bytes.subarray(0, this.length).indexOf(10, at - this.start);
      if (found >= 0) return this.start + found + 1;
      at = this.start + this.length;
    }
    return this.size;
  }

  /** Returns where the run of the line at `at` ends. `cursor` takes the run's ids if `fresh`. */
  runEnd(at: number, cursor: PlumeCursor, fresh: boolean): number {
    const scratch = plumeColumns(4, (bytes) => new ArrayBuffer(bytes));
    let line = at;
    if (fresh) {
      do {
        const { offset, end } = this.line(line);
        cursor.op = 0;
        cursor.run = 0;
        plumeLine(scratch, cursor, this.bytes, offset, end);
        line = this.start + end;
      } while (!cursor.inRun && line < this.size);
    }
    while (line < this.size) {
      const { offset, end } = this.line(line);
      const stop = this.bytes[end - 1] === 10 ? end - 1 : end;
      if (!plumeLineContinues(cursor, this.bytes, offset, stop)) break;
      line = this.start + end;
    }
    return line;
  }

  /** Reads the line at `at` into the columns, and all lines that follow it in its run. */
  finishRun(at: number, columns: PlumeColumns, cursor: PlumeCursor): void {
    let line = at;
    const before = cursor.op;
    while (line < this.size && cursor.op === before) line = this.take(line, columns, cursor);
    while (line < this.size) {
      const { offset, end } = this.line(line);
      const stop = this.bytes[end - 1] === 10 ? end - 1 : end;
      if (!plumeLineContinues(cursor, this.bytes, offset, stop)) return;
      line = this.take(line, columns, cursor);
    }
  }

  private take(at: number, columns: PlumeColumns, cursor: PlumeCursor): number {
    const { offset, end } = this.line(at);
    plumeLine(columns, cursor, this.bytes, offset, end);
    return this.start + end;
  }

  /** Returns the line at `at` with its newline, in memory. */
  private line(at: number): { offset: number; end: number } {
    let want = 4096;
    for (;;) {
      if (at < this.start || at >= this.start + this.length) this.fill(at, want);
      const offset = at - this.start;
      const found = this.bytes.subarray(0, this.length).indexOf(10, offset);
      if (found >= 0) return { offset, end: found + 1 };
      if (this.start + this.length >= this.size) return { offset, end: this.length };
      want = Math.max(4096, (this.length - offset) * 2);
      this.fill(at, want);
    }
  }

  private fill(at: number, want: number): void {
    if (want + 1 > this.bytes.length) this.bytes = new Uint8Array(want * 2);
    this.start = at;
    this.length = 0;
    while (this.length < want) {
      const got = this.readAt(this.bytes.subarray(this.length, want), at + this.length);
      if (got === 0) break;
      this.length += got;
    }
    if (this.length === 0)
      throw new UsageError(`the file became shorter while it was read: got nothing at byte ${at}, expected ${this.size} bytes`);
  }
}

/** The end of a line counts as space too. */
function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13 || byte === 10;
}
