/**
 * Some formats let a key begin with 0 unless a committed transaction leaves 0 in it, and other histories have no
 * implicit beginning. The meaning of 0 must not change when one kind is written as the other.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { operationsOf } from '../threads/op-span.ts';

/**
 * Returns the keys in which a transaction that did not abort leaves 0. A read of 0 refers to that write there, and to
 * the beginning elsewhere.
 */
export function keysLeftAtZero(history: KvHistory): ReadonlySet<bigint> {
  const { txnCount, opStart, opEnd, status, kind, valueLow, valueHigh } = history;
  const keys = new Set<bigint>();
  const left = new Set<bigint>();
  for (let t = 0; t < txnCount; t++) {
    if (status[t] === TXN_STATUS.aborted) continue;
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      if (kind[op] !== OP.write) continue;
      if (valueLow[op] === 0 && (valueHigh === undefined || valueHigh[op] === 0)) left.add(kvKey(history, op));
      else if (left.size > 0) left.delete(kvKey(history, op));
    }
    for (const key of left) keys.add(key);
    left.clear();
  }
  return keys;
}

/** Without implicit zeros, a read of a 0 that no transaction left would change its meaning in `format`. */
export function assertNoStrayZero(history: KvHistory, format: string): void {
  if (history.initial === 'zero') return;
  const left = keysLeftAtZero(history);
  for (const op of operationsOf(history)) {
    const key = kvKey(history, op);
    if (history.kind[op] === OP.read && kvValue(history, op) === 0n && !left.has(key))
      throw new UsageError(
        `${format}: key ${key} is read as 0, which no committed transaction wrote; the format would take it for the initial value`,
      );
  }
}

/** Some formats write nil as 0, so a nil read beside a written 0 would change its meaning. */
export function assertNilApart(history: KvHistory, format: string): void {
  const left = keysLeftAtZero(history);
  for (const op of operationsOf(history)) {
    const key = kvKey(history, op);
    if (history.kind[op] === OP.readInitial && left.has(key))
      throw new UsageError(`${format}: key ${key} has both an initial value and a written 0, which the format cannot tell apart`);
  }
}
