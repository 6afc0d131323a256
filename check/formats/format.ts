/**
 * The interface of every history format. A reader takes whole files as bytes (no I/O here) and returns a history. A
 * writer returns files. A format is a row of the FORMATS table. A file that cannot be read is a UsageError that names
 * the file, the line or byte, what was there and what was expected. A file that is known to be cut is never read as
 * whole.
 */
import { UsageError } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import type { BankHistory } from '../bank/bank-history.ts';
import type { ListHistory } from './list-history.ts';

export interface HistoryFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Register histories have columns of reads and writes. List histories have appends and reads of whole lists. */
export type TransactionHistory =
  /** Lightweight means that each transaction is an insert if not exists, a compare and set, or a read. */
  | { readonly kind: 'kv'; readonly history: KvHistory; readonly lightweight?: true }
  | { readonly kind: 'list'; readonly history: ListHistory };

/** A bank history shows sums of balances, and no operations on rows. */
export type ParsedHistory = TransactionHistory | { readonly kind: 'bank'; readonly history: BankHistory };

export interface HistoryFormat {
  readonly name: string;
  readonly title: string;
  /** Tells whether this is probably the format of these files. It looks at names and first bytes only. */
  detect(files: readonly HistoryFile[]): boolean;
  read(files: readonly HistoryFile[]): ParsedHistory;
  /** The written files have begin and end times, or events in their order. */
  readonly writesTimes?: true;
  /** The format has a place for the level of each transaction. */
  readonly writesLevels?: true;
  /** A format without this method is read only. It throws UsageError if the format cannot express the history. */
  write?(history: TransactionHistory): readonly HistoryFile[];
}

/** A place in a file: a byte offset, a line, or both. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly byte?: number;
}

export function formatError(place: Place, got: string, expected: string): UsageError {
  const where = [place.line === undefined ? '' : `line ${place.line}`, place.byte === undefined ? '' : `byte ${place.byte}`].filter(
    (part) => part !== '',
  );
  return new UsageError(`${place.file}: ${where.join(', ')}${where.length > 0 ? ': ' : ''}got ${got}, expected ${expected}`);
}

/** Returns the line of a byte offset, from 1. It is slow, so only messages use it. */
export function lineOf(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset && i < bytes.length; i++) if (bytes[i] === 10) line++;
  return line;
}

/** Returns a few characters at an offset, quoted, for messages. */
export function excerpt(bytes: Uint8Array, offset: number): string {
  if (offset >= bytes.length) return 'the end of the file';
  return JSON.stringify(new TextDecoder().decode(bytes.subarray(offset, offset + 24)));
}

export function onlyFile(files: readonly HistoryFile[], format: string): HistoryFile {
  if (files.length === 1) return files[0];
  throw new UsageError(`${format}: got ${files.length} files, expected one (only cobra is a folder of files)`);
}

/** Removes the byte order mark that some programs put before the text. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return hasMark(bytes) ? bytes.subarray(3) : bytes;
}

export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Returns the first bytes as text, without leading white space, comments and commas. Detection looks at these. */
export function head(files: readonly HistoryFile[], length = 4096): string {
  if (files.length !== 1) return '';
  let text = new TextDecoder('latin1').decode(withoutMark(files[0].bytes).subarray(0, length));
  for (;;) {
    const next = text.replace(/^[\s,]+/, '').replace(/^;[^\n]*(\n|$)/, '');
    if (next === text) return text;
    text = next;
  }
}
