/** Makes and widens the columns that plume text is read into, and makes the cursor that stands at their beginning. */
import type { PlumeColumns, PlumeCursor } from './line.ts';

/** The shortest line, `r(1,1,1,1)` and its newline, gives an upper bound of operations per byte. */
export const LEAST_LINE = 11;
/** The room that is always left behind the last operation. */
export const SLACK = 16;

export function emptyCursor(op: number, run: number): PlumeCursor {
  return { op, run, wideKey: 0, wideValue: 0, emptyLines: 0, sessionLow: 0, sessionHigh: 0, txnLow: 0, txnHigh: 0, inRun: false };
}

export function plumeColumns(capacity: number, memory: (bytes: number) => ArrayBuffer | SharedArrayBuffer): PlumeColumns {
  const i32 = (): Int32Array => new Int32Array(memory(capacity * 4));
  return {
    kind: new Uint8Array(memory(capacity)),
    keyLow: i32(),
    keyHigh: i32(),
    valueLow: i32(),
    valueHigh: i32(),
    runStart: new Uint32Array(memory(capacity * 4)),
    runSessionLow: i32(),
    runSessionHigh: i32(),
    runTxnLow: i32(),
    runTxnHigh: i32(),
  };
}

export function widerColumns(from: PlumeColumns, to: PlumeColumns): PlumeColumns {
  for (const name of Object.keys(from) as (keyof PlumeColumns)[]) to[name].set(from[name]);
  return to;
}
