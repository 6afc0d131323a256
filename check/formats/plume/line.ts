/**
 * Reads one line of plume text with all its variants, `r(KEY,VALUE,SESSION,TXN)`: signs, 64-bit numbers, spaces between
 * the parts, empty lines, CR before LF, no LF at the end of the file. The fast reader of lines.ts leaves these to it.
 */
import { readInt64 } from './int64.ts';

/** Zero-filled columns. The high halves are written only where a number is negative or needs them. */
export interface PlumeColumns {
  readonly kind: Uint8Array;
  readonly keyLow: Int32Array;
  readonly keyHigh: Int32Array;
  readonly valueLow: Int32Array;
  readonly valueHigh: Int32Array;
  readonly runStart: Uint32Array;
  readonly runSessionLow: Int32Array;
  readonly runSessionHigh: Int32Array;
  readonly runTxnLow: Int32Array;
  readonly runTxnHigh: Int32Array;
}

/** The position of one reader. `op` and `run` are the next free places of the columns. */
export interface PlumeCursor {
  op: number;
  run: number;
  /** 1 once a number did not fit 32 bits. */
  wideKey: number;
  wideValue: number;
  /** The number of lines without an operation, for line numbers. */
  emptyLines: number;
  sessionLow: number;
  sessionHigh: number;
  txnLow: number;
  txnHigh: number;
  /** False before the first line: the next one begins a run whatever its numbers. */
  inRun: boolean;
}

/** Thrown for a line that is not an operation. The caller knows the file and counts the lines. */
export class PlumeLineError extends Error {
  override readonly name = 'PlumeLineError';
  readonly offset: number;
  readonly got: string;
  readonly expected: string;

  constructor(offset: number, got: string, expected: string) {
    super(`got ${got}, expected ${expected}`);
    this.offset = offset;
    this.got = got;
    this.expected = expected;
  }
}

const SHAPE = '"r" or "w", then "(KEY,VALUE,SESSION,TXN)" with signed 64-bit integers';
const key = { low: 0, high: 0, end: 0 };
const value = { low: 0, high: 0, end: 0 };
const session = { low: 0, high: 0, end: 0 };
const txn = { low: 0, high: 0, end: 0 };
const FIELDS = [key, value, session, txn];

/** Reads the line at `from` into the columns. Returns where the next line begins (`to` at the end of the bytes). */
export function plumeLine(columns: PlumeColumns, cursor: PlumeCursor, bytes: Uint8Array, from: number, to: number): number {
  let end = bytes.indexOf(10, from);
  if (end < 0 || end > to) end = to;
  const letter = readLine(bytes, from, end);
  if (letter === 0) {
    cursor.emptyLines++;
    return Math.min(end + 1, to);
  }
  if (!cursor.inRun || !sameRun(cursor)) {
    cursor.inRun = true;
    cursor.sessionLow = session.low;
    cursor.sessionHigh = session.high;
    cursor.txnLow = txn.low;
    cursor.txnHigh = txn.high;
    const run = cursor.run++;
    columns.runStart[run] = cursor.op;
    columns.runSessionLow[run] = session.low;
    columns.runTxnLow[run] = txn.low;
    if (session.high !== 0) columns.runSessionHigh[run] = session.high;
    if (txn.high !== 0) columns.runTxnHigh[run] = txn.high;
  }
  const op = cursor.op++;
  columns.kind[op] = letter === 119 ? 1 : 0;
  columns.keyLow[op] = key.low;
  columns.valueLow[op] = value.low;
  if (key.high !== 0) columns.keyHigh[op] = key.high;
  if (value.high !== 0) columns.valueHigh[op] = value.high;
  if (key.high !== key.low >> 31) cursor.wideKey = 1;
  if (value.high !== value.low >> 31) cursor.wideValue = 1;
  return Math.min(end + 1, to);
}

/** Tells whether the line at `from` (complete, before `end`) continues the cursor's run. An empty line does. */
export function plumeLineContinues(cursor: PlumeCursor, bytes: Uint8Array, from: number, end: number): boolean {
  return readLine(bytes, from, end) === 0 || (cursor.inRun && sameRun(cursor));
}

function sameRun(cursor: PlumeCursor): boolean {
  return (
    cursor.txnLow === txn.low && cursor.sessionLow === session.low && cursor.txnHigh === txn.high && cursor.sessionHigh === session.high
  );
}

/** Reads the line's fields into the module's four numbers. Returns its letter, or 0 for a line of white space. */
function readLine(bytes: Uint8Array, from: number, end: number): number {
  let i = skipSpace(bytes, from, end);
  if (i === end) return 0;
  const letter = bytes[i];
  if (letter !== 119 && letter !== 114) throw lineError(bytes, from, end);
  i = skipSpace(bytes, i + 1, end);
  for (let field = 0; field < 4; field++) {
    if (bytes[i] !== (field === 0 ? 40 : 44) || i >= end) throw lineError(bytes, from, end);
    i = skipSpace(bytes, i + 1, end);
    if (!readInt64(bytes, i, end, FIELDS[field])) throw lineError(bytes, from, end);
    i = skipSpace(bytes, FIELDS[field].end, end);
  }
  if (bytes[i] !== 41 || i >= end || skipSpace(bytes, i + 1, end) !== end) throw lineError(bytes, from, end);
  return letter;
}

function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && (bytes[i] === 32 || bytes[i] === 9 || bytes[i] === 13)) i++;
  return i;
}

function lineError(bytes: Uint8Array, from: number, end: number): PlumeLineError {
  const text = new TextDecoder('latin1').decode(bytes.slice(from, Math.min(end, from + 60)));
  return new PlumeLineError(from, JSON.stringify(text), SHAPE);
}
