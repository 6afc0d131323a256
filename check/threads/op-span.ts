/**
 * Readers that fill columns block by block leave gaps between operations. The indices of operations then exceed
 * `opCount`, and an index between two transactions belongs to none. No code may loop over all indices of such a
 * history.
 */
import type { KvHistory } from '../../core/index.ts';

/** Returns the same history with the operations of its transactions one behind the other in the order of the file. */
export function renumbered(history: KvHistory): KvHistory {
  const { opStart, opEnd, txnCount, kind, keyLow, keyHigh, valueLow, valueHigh, fileOrder } = history;
  let span = 0;
  let opCount = 0;
  for (let t = 0; t < txnCount; t++) {
    if (opEnd[t] > span) span = opEnd[t];
    opCount += opEnd[t] - opStart[t];
  }
  if (span === opCount && opCount === history.opCount) return history;
  const moved = {
    kind: new Uint8Array(opCount),
    keyLow: new Int32Array(opCount),
    valueLow: new Int32Array(opCount),
    opStart: new Uint32Array(txnCount),
    opEnd: new Uint32Array(txnCount),
  };
  const movedKeyHigh = keyHigh && new Int32Array(opCount);
  const movedValueHigh = valueHigh && new Int32Array(opCount);
  let at = 0;
  for (let i = 0; i < txnCount; i++) {
    const t = fileOrder === undefined ? i : fileOrder[i];
    moved.opStart[t] = at;
    for (let op = opStart[t]; op < opEnd[t]; op++, at++) {
      moved.kind[at] = kind[op];
      moved.keyLow[at] = keyLow[op];
      moved.valueLow[at] = valueLow[op];
      if (movedKeyHigh) movedKeyHigh[at] = keyHigh[op];
      if (movedValueHigh) movedValueHigh[at] = valueHigh[op];
    }
    moved.opEnd[t] = at;
  }
  return { ...history, ...moved, opCount, keyHigh: movedKeyHigh, valueHigh: movedValueHigh };
}

/** Yields the indices of all operations, transaction by transaction. */
export function* operationsOf(history: KvHistory): Generator<number> {
  for (let t = 0; t < history.txnCount; t++) for (let op = history.opStart[t]; op < history.opEnd[t]; op++) yield op;
}
