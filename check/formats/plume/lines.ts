/**
 * The hot loop of the plume reader: it reads whole lines `r(key,value,session,txn)` from bytes into columns. Numbers of
 * at most nine digits without a sign are read here. All other lines (signs, 64-bit numbers, spaces, empty lines, CR) go
 * one by one through line.ts. A run is a maximal sequence of lines of one session and transaction.
 */
import { plumeLine } from './line.ts';
import type { PlumeColumns, PlumeCursor } from './line.ts';

/** Parses bytes[from .. to), which ends with a newline. */
export function plumeLines(columns: PlumeColumns, cursor: PlumeCursor, bytes: Uint8Array, from: number, to: number): void {
  const { kind, keyLow, valueLow, valueHigh, runStart, runSessionLow, runTxnLow } = columns;
  let { op, run, sessionLow, txnLow } = cursor;
  // A run of wide ids never matches the numbers that are read here.
  let plain = cursor.inRun && cursor.sessionHigh === 0 && cursor.txnHigh === 0;
  let i = from;
  while (i < to) {
    const line = i;
    short: {
      const letter = bytes[i];
      if ((letter !== 119 && letter !== 114) || bytes[i + 1] !== 40) break short;
      i += 2;
      let start = i;
      let key = 0;
      let digit = bytes[i] - 48;
      while (digit >>> 0 < 10) {
        key = (key * 10 + digit) | 0;
        digit = bytes[++i] - 48;
      }
      if (digit !== -4 || (i - start - 1) >>> 0 > 8) break short;
      start = ++i;
      let value = 0;
      digit = bytes[i] - 48;
      while (digit >>> 0 < 10) {
        value = (value * 10 + digit) | 0;
        digit = bytes[++i] - 48;
      }
      if (digit !== -4) break short;
      const length = i - start;
      let high = 0;
      if ((length - 1) >>> 0 > 8) {
        if ((length - 1) >>> 0 > 17) break short;
        // `value` is right modulo 2^32. The digits above the ninth tell which multiple of 2^32 is missing.
        let top = 0;
        for (let d = start; d < i - 9; d++) top = top * 10 + (bytes[d] - 48);
        high = Math.round((top * 1e9 + 5e8 - (value >>> 0)) / 4294967296);
        if (high !== value >> 31) cursor.wideValue = 1;
      }
      start = ++i;
      let session = 0;
      digit = bytes[i] - 48;
      while (digit >>> 0 < 10) {
        session = (session * 10 + digit) | 0;
        digit = bytes[++i] - 48;
      }
      if (digit !== -4 || (i - start - 1) >>> 0 > 8) break short;
      start = ++i;
      let txn = 0;
      digit = bytes[i] - 48;
      while (digit >>> 0 < 10) {
        txn = (txn * 10 + digit) | 0;
        digit = bytes[++i] - 48;
      }
      if (digit !== -7 || (i - start - 1) >>> 0 > 8 || bytes[i + 1] !== 10) break short;
      i += 2;
      if (!plain || txn !== txnLow || session !== sessionLow) {
        plain = true;
        txnLow = txn;
        sessionLow = session;
        runStart[run] = op;
        runSessionLow[run] = session;
        runTxnLow[run] = txn;
        run++;
      }
      kind[op] = letter === 119 ? 1 : 0;
      keyLow[op] = key;
      valueLow[op] = value;
      if (high !== 0) valueHigh[op] = high;
      op++;
      continue;
    }
    cursor.op = op;
    cursor.run = run;
    if (plain) {
      cursor.inRun = true;
      cursor.sessionLow = sessionLow;
      cursor.sessionHigh = 0;
      cursor.txnLow = txnLow;
      cursor.txnHigh = 0;
    }
    i = plumeLine(columns, cursor, bytes, line, to);
    ({ op, run, sessionLow, txnLow } = cursor);
    plain = cursor.inRun && cursor.sessionHigh === 0 && cursor.txnHigh === 0;
  }
  cursor.op = op;
  cursor.run = run;
  if (plain) {
    cursor.inRun = true;
    cursor.sessionLow = sessionLow;
    cursor.sessionHigh = 0;
    cursor.txnLow = txnLow;
    cursor.txnHigh = 0;
  }
}
