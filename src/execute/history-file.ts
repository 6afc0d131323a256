/**
 * Where a run's record goes: plain lines, or (a name that ends in .gz) packed. Both hold on disk what was written when
 * `write` returns. A packed one first appends to its tail, a plain file beside it; whenever that has grown to a member's
 * size, it is compressed, appended to the packed file as one member, and the tail begins anew. To compress each
 * invocation by itself instead (a sync flush) takes ten times the time and more room.
 *
 * Killed at any moment, the two together hold everything: while a member is being appended its lines are still in the
 * tail, which says where they belong; a tail without its first line was just emptied.
 */
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { sizedMember, tailLine, tailOf } from '../../core/index.ts';

/** Of unpacked bytes: a few milliseconds to compress; members four times as large take 3 % less room. */
const MEMBER = 1 << 18;
const LEVEL = 6;

export interface HistoryFile {
  /** On disk when it returns. */
  write(bytes: Uint8Array): void;
  /** The file is whole: nothing is left beside it. */
  finish(): void;
  /** Gives the descriptors back and leaves everything as it is; after `finish` too. */
  close(): void;
}

export function openHistoryFile(path: string): HistoryFile {
  return path.endsWith('.gz') ? new PackedFile(path) : new PlainFile(path);
}

class PlainFile implements HistoryFile {
  private readonly fd: number;

  constructor(path: string) {
    this.fd = openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    writeAll(this.fd, bytes);
  }

  finish(): void {
    // Every write is whole.
  }

  close(): void {
    closeSync(this.fd);
  }
}

class PackedFile implements HistoryFile {
  private readonly fd: number;
  private readonly tail: number;
  private readonly tailPath: string;
  /** What the tail holds. */
  private waiting: Uint8Array[] = [];
  private size = 0;
  /** Bytes packed, before compression. */
  private packed = 0;

  constructor(path: string) {
    this.tailPath = tailOf(path);
    this.fd = openSync(path, 'wx');
    try {
      this.tail = openSync(this.tailPath, 'ax');
    } catch (error) {
      closeSync(this.fd);
      unlinkSync(path);
      throw error;
    }
    writeAll(this.tail, Buffer.from(tailLine(0)));
  }

  write(bytes: Uint8Array): void {
    writeAll(this.tail, bytes);
    this.waiting.push(bytes);
    this.size += bytes.length;
    // What comes first, the header, at once: so the packed file says what it is from the beginning.
    if (this.size >= MEMBER || this.packed === 0) this.pack();
  }

  finish(): void {
    this.pack();
    unlinkSync(this.tailPath);
  }

  close(): void {
    closeSync(this.fd);
    closeSync(this.tail);
  }

  private pack(): void {
    if (this.size === 0) return;
    writeAll(this.fd, sizedMember(gzipSync(Buffer.concat(this.waiting), { level: LEVEL })));
    this.packed += this.size;
    this.waiting = [];
    this.size = 0;
    ftruncateSync(this.tail, 0);
    writeAll(this.tail, Buffer.from(tailLine(this.packed)));
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}
