/**
 * Writes plume / PolySI / MTC / IsoVista text: one operation a line, `r(KEY,VALUE,SESSION,TXN)`. Transaction ids are
 * global, and -1 is aborted. Keys to which no transaction writes 0 begin at 0. read.ts reads the text.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../../core/index.ts';
import type { KvHistory } from '../../../core/index.ts';
import { assertNilApart, assertNoStrayZero } from '../implicit-zero.ts';

export function writePlume(history: KvHistory): Uint8Array {
  const order = history.fileOrder;
  const parts: string[] = [];
  const sessionOf = new Uint32Array(history.txnCount);
  for (let s = 0; s < history.sessionCount; s++) sessionOf.fill(s, history.sessionStart[s], history.sessionStart[s + 1]);
  for (let i = 0; i < history.txnCount; i++) {
    const t = order === undefined ? i : order[i];
    const status = history.status[t];
    if (status === TXN_STATUS.unknown)
      throw new UsageError(
        `plume: the outcome of transaction ${history.txnName?.(t) ?? t} is unknown, and the format has only committed and aborted ones`,
      );
    const aborted = status === TXN_STATUS.aborted;
    for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
      const write = history.kind[op] === OP.write;
      const value = history.kind[op] === OP.readInitial ? 0n : kvValue(history, op);
      parts.push(`${write ? 'w' : 'r'}(${kvKey(history, op)},${value},${sessionOf[t]},${aborted ? -1 : t})\n`);
    }
  }
  assertNoStrayZero(history, 'plume');
  assertNilApart(history, 'plume');
  return new TextEncoder().encode(parts.join(''));
}
