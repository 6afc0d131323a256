/**
 * The file of a run's record: plain lines, or packed if the name ends in .gz. In both forms the bytes are on disk when
 * `write` returns. The packed form first appends to its tail, a plain file beside it. Once the tail has a member's size,
 * it is compressed and appended to the packed file as one member, and the tail begins anew. Compressing each invocation
 * by itself (a sync flush) takes ten times the time and more room.
 *
 * The two files together hold everything, whenever the process is killed. While a member is being appended, its lines are
 * still in the tail, whose first line says where they belong. A tail without that line was just emptied.
 */
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { sizedMember, tailLine, tailOf } from '../../core/index.ts';

/** Size of a member in unpacked bytes, which takes a few milliseconds to compress. Members four times as large take 3 % less room. */
const MEMBER = 1 << 18;
const LEVEL = 6;

export interface HistoryFile {
  /** The bytes are on disk when it returns. */
  write(bytes: Uint8Array): void;
  /** Completes the file, so that nothing is left beside it. */
  finish(): void;
  /** Closes the descriptors and leaves the files as they are, also after `finish`. */
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
    // Every write is whole, so that nothing is left to do.
  }

  close(): void {
    closeSync(this.fd);
  }
}

class PackedFile implements HistoryFile {
  private readonly fd: number;
  private readonly tail: number;
  private readonly tailPath: string;
  /** The tail's bytes. */
  private waiting: Uint8Array[] = [];
  private size = 0;
  /** Number of bytes packed so far, before compression. */
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
    // The header is packed at once, so that the packed file has its header from the beginning.
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
