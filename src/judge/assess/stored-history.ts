/**
 * Reads our own histories from disk for check/formats/ndjson.ts. They are plain lines, or packed member by member
 * (core/packed-history.ts) with the tail of a killed run. A truncated file is read up to the cut. A history that another
 * program packed again has no sizes in it and is unpacked whole.
 */
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { MEMBER_HEAD, UsageError, isGzip, memberSize, tailOf, tailStart } from '../../../core/index.ts';

export interface StoredHistory {
  /** Fills the buffer and returns the number of bytes, 0 at the end. */
  readonly read: (buffer: Uint8Array) => number;
  readonly close: () => void;
}

export function openStored(file: string): StoredHistory {
  // The tail is read before the packed file. In a run that goes on, lines that leave the tail are then in the packed
  // file.
  const tail = readTail(file);
  const fd = openSync(file, 'r');
  const close = (): void => closeSync(fd);
  const head = readAt(fd, 0, 2);
  if (!isGzip(head)) return { read: (buffer) => readSync(fd, buffer, 0, buffer.length, null), close };
  const chunks = joined(unpacked(fd, file), tail, file);
  let chunk: Uint8Array = new Uint8Array(0);
  const read = (buffer: Uint8Array): number => {
    while (chunk.length === 0) {
      const next = chunks.next();
      if (next.done === true) return 0;
      chunk = next.value;
    }
    const part = chunk.subarray(0, buffer.length);
    buffer.set(part);
    chunk = chunk.subarray(part.length);
    return part.length;
  };
  return { read, close };
}

/** Returns the beginning of a packed file's content, as far as these first bytes contain it. */
export function unpackedStart(packed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(packed, UP_TO_THE_CUT);
  } catch {
    return new Uint8Array(0);
  }
}

const UP_TO_THE_CUT = { finishFlush: constants.Z_SYNC_FLUSH };

interface Tail {
  /** Position of the tail's first byte in the unpacked history. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

function readTail(file: string): Tail | undefined {
  const path = tailOf(file);
  if (!file.endsWith('.gz') || !existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const end = bytes.indexOf('\n');
  // A tail without its first line was just emptied, so the packed file has everything.
  if (end < 0) return undefined;
  const from = tailStart(bytes.toString('utf8', 0, end));
  if (from === undefined)
    throw new UsageError(
      `${path}: line 1 is not that of a tail; expected what a run left that was killed, {"e":"tail",...}. Move it away to read ${file} alone.`,
    );
  return { from, bytes: bytes.subarray(end + 1) };
}

/** Yields the packed part up to where the tail begins. Lines that are both in a member and in the tail were being packed. */
function* joined(packed: Iterable<Uint8Array>, tail: Tail | undefined, file: string): Generator<Uint8Array> {
  let at = 0;
  for (const chunk of packed) {
    const left = tail === undefined ? chunk.length : tail.from - at;
    if (left > 0) yield chunk.subarray(0, left);
    at += chunk.length;
  }
  if (tail === undefined) return;
  if (at < tail.from)
    throw new UsageError(
      `${file}: ends at byte ${at} when unpacked, and ${tailOf(file)} goes on from byte ${tail.from}: what is between them is missing. Move that file away to read what comes before.`,
    );
  yield tail.bytes;
}

function* unpacked(fd: number, file: string): Generator<Uint8Array> {
  const { size } = fstatSync(fd);
  for (let at = 0; at < size;) {
    const length = Math.min(memberSize(readAt(fd, at, MEMBER_HEAD)) ?? size - at, size - at);
    try {
      yield gunzipSync(readAt(fd, at, length), UP_TO_THE_CUT);
    } catch (error) {
      throw new UsageError(
        `${file}: cannot be unpacked from byte ${at} on (${error instanceof Error ? error.message : String(error)}); was it changed, or is it no gzip?`,
        { cause: error },
      );
    }
    at += length;
  }
}

function readAt(fd: number, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let got = 0;
  for (let more = -1; got < length && more !== 0; got += more) more = readSync(fd, bytes, got, length - got, from + got);
  return bytes.subarray(0, got);
}
