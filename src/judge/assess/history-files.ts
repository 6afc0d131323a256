/**
 * Reads and writes histories of other programs: a file, or a folder of files of one format (cobra's logs). Gzip, and zstd
 * where this Node has it, are recognised by their magic bytes. The formats themselves are in check/formats.
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { detectFormat, formatNamed } from '../../../check/index.ts';
import type { HistoryFile, HistoryFormat, ParsedHistory, TransactionHistory } from '../../../check/index.ts';
import { UsageError } from '../../../core/index.ts';

export interface ForeignHistory {
  readonly format: HistoryFormat;
  readonly parsed: ParsedHistory;
}

/** `format`: a name of the FORMATS table, or `auto`. `files`: the files at the path, if they were read before. */
export function readForeignHistory(at: string, format = 'auto', files: readonly HistoryFile[] = readHistoryFiles(at)): ForeignHistory {
  const found = format === 'auto' ? detectFormat(files) : formatNamed(format);
  return { format: found, parsed: found.read(files) };
}

/** Reads a history of transactions. A bank history is refused, with the name of the `command`. */
export function readTransactionHistory(
  command: string,
  at: string,
  format?: string,
): { readonly format: HistoryFormat; readonly parsed: TransactionHistory } {
  const { format: found, parsed } = readForeignHistory(at, format);
  if (parsed.kind !== 'bank') return { format: found, parsed };
  throw new UsageError(
    `${at}: got a bank history, which shows only sums of balances; ${command} expected reads and writes of registers or lists. Use \`anomalist check\` for this file.`,
  );
}

/** Returns the unpacked files at a path: for a folder its *.log files, or its only file. */
export function readHistoryFiles(at: string): readonly HistoryFile[] {
  return unlessBlank(at, filesAt(at));
}

/** Returns the unpacked bytes of a pipe as files. */
export function pipedHistoryFiles(name: string, bytes: Uint8Array): readonly HistoryFile[] {
  return unlessBlank(name, [historyFileOf(name, bytes)]);
}

function unlessBlank(at: string, files: readonly HistoryFile[]): readonly HistoryFile[] {
  // A broken pipe leaves blank input. As a history without transactions it would pass the check.
  if (files.every(({ bytes }) => isBlank(bytes)))
    throw new UsageError(
      `${at}: got nothing, not one transaction stands in it; expected a history (did the program that was to write it fail?)`,
    );
  return files;
}

/** True if the bytes are white space, after at most a byte order mark. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte, i) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || (i < 3 && byte === MARK[i]));
}

const MARK = [0xef, 0xbb, 0xbf];

function filesAt(at: string): readonly HistoryFile[] {
  if (!fs.existsSync(at)) throw new UsageError(`${at}: there is no such file or folder, expected a history`);
  if (!fs.statSync(at).isDirectory()) return [readHistoryFile(at)];
  const names = fs.readdirSync(at).filter((name) => fs.statSync(path.join(at, name)).isFile());
  const logs = names.filter((name) => /\.log(\.gz|\.zst)?$/.test(name));
  const chosen = logs.length > 0 ? logs : names;
  if (chosen.length === 0 || (logs.length === 0 && names.length > 1)) {
    throw new UsageError(`${at}: got a folder of ${names.length} files, expected a folder of *.log files (cobra), or a file`);
  }
  return chosen.toSorted().map((name) => readHistoryFile(path.join(at, name)));
}

function readHistoryFile(file: string): HistoryFile {
  return historyFileOf(file, fs.statSync(file).isFile() ? readOnDisk(file) : readStream(file));
}

function historyFileOf(file: string, packed: Uint8Array): HistoryFile {
  const name = path.basename(file).replace(/\.(gz|zst)$/, '');
  const bytes = unpack(packed, file);
  // Readers get plain bytes, because a Buffer's subarray would share its pool.
  return { name, bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function readOnDisk(file: string): Uint8Array {
  const size = fs.statSync(file).size;
  const packed = new Uint8Array(size);
  const handle = fs.openSync(file, 'r');
  try {
    for (let at = 0; at < size;) {
      const got = fs.readSync(handle, packed, at, Math.min(size - at, 1 << 26), at);
      if (got === 0) throw new UsageError(`${file}: got ${at} bytes, expected ${size}: the file shrank while it was read`);
      at += got;
    }
  } finally {
    fs.closeSync(handle);
  }
  return packed;
}

/** Reads a pipe, which has no size and can be read only once. */
function readStream(file: string): Uint8Array {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `${file}: cannot be read to its end (${error instanceof Error ? error.message : String(error)}); write the history to a file and give that`,
      { cause: error },
    );
  }
}

/** Node has zstd from 22.15 on. The types here may be older. */
type Unpack = (bytes: Uint8Array) => Uint8Array;

function unpack(bytes: Uint8Array, file: string): Uint8Array {
  const starts = (...magic: readonly number[]): boolean => magic.every((byte, i) => bytes[i] === byte);
  let decompress: Unpack | undefined;
  if (starts(0x1f, 0x8b)) decompress = zlib.gunzipSync;
  else if (starts(0x28, 0xb5, 0x2f, 0xfd)) {
    decompress = (zlib as { zstdDecompressSync?: Unpack }).zstdDecompressSync;
    if (decompress === undefined)
      throw new UsageError(
        `${file}: got zstd, which Node ${process.versions.node} cannot unpack; unpack it first (zstd -d), or use Node 22.15 or later`,
      );
  }
  if (decompress === undefined) return bytes;
  try {
    return decompress(bytes);
  } catch (error) {
    throw new UsageError(`${file}: cannot be unpacked (${error instanceof Error ? error.message : String(error)}); is the file cut off?`, {
      cause: error,
    });
  }
}

/** Writes one file to the path itself, several into a folder of that name. */
export function writeHistoryFiles(at: string, files: readonly HistoryFile[]): readonly string[] {
  try {
    if (files.length !== 1) fs.mkdirSync(at, { recursive: true });
    return files.map(({ name, bytes }) => {
      const target = files.length > 1 || (fs.existsSync(at) && fs.statSync(at).isDirectory()) ? path.join(at, name) : at;
      fs.writeFileSync(target, files.length === 1 && target.endsWith('.gz') ? zlib.gzipSync(bytes) : bytes);
      return target;
    });
  } catch (error) {
    throw new UsageError(
      `${at}: cannot be written (${error instanceof Error ? error.message : String(error)}); expected a path in a folder that is there`,
      { cause: error },
    );
  }
}
