/**
 * Writes plume / PolySI / MTC / IsoVista text: one operation a line, `r(KEY,VALUE,SESSION,TXN)`; transaction ids are
 * global, -1 is aborted. Keys that nobody writes 0 to begin at 0. Reading is plume.ts.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { operationsOf } from '../kv/op-span.ts';

export function writePlume(history: KvHistory): Uint8Array {
  const order = history.fileOrder;
  const parts: string[] = [];
  const sessionOf = new Uint32Array(history.txnCount);
  for (let s = 0; s < history.sessionCount; s++) sessionOf.fill(s, history.sessionStart[s], history.sessionStart[s + 1]);
  for (let i = 0; i < history.txnCount; i++) {
    const t = order === undefined ? i : order[i];
    const status = history.status[t];
    if (status === TXN_STATUS.unknown) throw new UsageError(`plume: the outcome of transaction ${history.txnName?.(t) ?? t} is unknown, and the format has only committed and aborted ones`);
    const aborted = status === TXN_STATUS.aborted;
    for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
      const write = history.kind[op] === OP.write;
      const value = history.kind[op] === OP.readInitial ? 0n : kvValue(history, op);
      parts.push(`${write ? 'w' : 'r'}(${kvKey(history, op)},${value},${sessionOf[t]},${aborted ? -1 : t})\n`);
    }
  }
  if (history.initial === 'none') assertZeroFree(history);
  return new TextEncoder().encode(parts.join(''));
}

/** Without implicit zeros, a read of 0 that nobody wrote would change its meaning; a nil read beside a written 0 too. */
function assertZeroFree(history: KvHistory): void {
  const written = new Set<bigint>();
  for (const op of operationsOf(history)) if (history.kind[op] === OP.write && kvValue(history, op) === 0n) written.add(kvKey(history, op));
  for (const op of operationsOf(history)) {
    const key = kvKey(history, op);
    if (history.kind[op] === OP.readInitial && written.has(key)) throw new UsageError(`plume: key ${key} has both an initial value and a written 0, which the format cannot tell apart`);
    if (history.kind[op] === OP.read && kvValue(history, op) === 0n && !written.has(key)) throw new UsageError(`plume: key ${key} is read as 0, which nobody wrote; the format would take it for the initial value`);
  }
}
