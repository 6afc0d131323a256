/**
 * Decides whose write was read if one value of a key was written more than once. A reader's own latest write of the key
 * settles it. Otherwise a readable write is preferred to one that is not: an aborted write, one that its own
 * transaction overwrote, or a later one of the reader itself. A read of an unreadable write violates every level, so if
 * any execution explains the history, one with a readable write does. Two readable writes leave the read unclear. It is
 * no bad read then, and nothing follows from it. Linear in the operations, and run only if values are repeated.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { KeyTable } from './key-table.ts';

/** The value in the column of versions if more than one write explains the read. */
export const UNCLEAR = -2;

export interface UnclearRead {
  readonly read: number;
  /** All writes that explain the read, at least two. The reader's own may be among them, and explain nothing. */
  readonly writes: readonly number[];
}

/** All writes of one value of a key, the readable ones first. */
interface Writers {
  readonly writes: readonly number[];
  readonly readable: readonly number[];
}

/**
 * Corrects `version`, which names one of the writes. `pairs` are those of the join: a write, and the write that it
 * named instead.
 */
export function settleRepeated(
  history: KvHistory,
  opTxn: Int32Array,
  version: Int32Array,
  pairs: readonly (readonly [number, number])[],
): readonly UnclearRead[] {
  const writers = writersOf(history, opTxn, pairs);
  const unclear: UnclearRead[] = [];
  const keys = new KeyTable(history);
  for (let t = 0; t < history.txnCount; t++) {
    if (history.status[t] === TXN_STATUS.aborted) continue; // its reads demand nothing
    const start = history.opStart[t];
    const end = history.opEnd[t];
    keys.reset(end - start);
    for (let op = start; op < end; op++) {
      if (history.kind[op] === OP.write) {
        keys.put(op);
        continue;
      }
      const found = version[op] < 0 ? undefined : writers.get(version[op]);
      if (found === undefined) continue;
      const own = keys.get(op);
      const write = own >= 0 ? afterOwnWrite(history, found, start, own, op) : readableWrite(found, opTxn, t);
      version[op] = write;
      if (write === UNCLEAR) unclear.push({ read: op, writes: found.readable });
    }
  }
  return unclear;
}

function writersOf(history: KvHistory, opTxn: Int32Array, pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, Writers> {
  const groups = new Map<number, number[]>();
  for (const [write, named] of pairs) {
    const group = groups.get(named);
    if (group === undefined) groups.set(named, [named, write]);
    else group.push(write);
  }
  const overwritten = overwrittenWrites(history);
  // The rank is 0 for a readable write, 1 for one that its transaction overwrote, and 2 for an aborted one.
  const rank = (op: number): number => (history.status[opTxn[op]] === TXN_STATUS.aborted ? 2 : overwritten[op]);
  const writers = new Map<number, Writers>();
  for (const [named, group] of groups) {
    const writes = group.toSorted((a, b) => rank(a) - rank(b) || a - b);
    writers.set(named, { writes, readable: writes.filter((op) => rank(op) === 0) });
  }
  return writers;
}

/** 1 if the transaction writes the key again. */
function overwrittenWrites(history: KvHistory): Uint8Array {
  const { txnCount, opStart, opEnd, kind } = history;
  const overwritten = new Uint8Array(history.opCount);
  const keys = new KeyTable(history);
  for (let t = 0; t < txnCount; t++) {
    keys.reset(opEnd[t] - opStart[t]);
    for (let op = opEnd[t] - 1; op >= opStart[t]; op--) if (kind[op] === OP.write && keys.put(op) >= 0) overwritten[op] = 1;
  }
  return overwritten;
}

/**
 * Chooses the write behind a read that follows an own write of the key. It is that write, or else one that makes the
 * read a bad one: an earlier own write before another's.
 */
function afterOwnWrite(history: KvHistory, { writes }: Writers, start: number, own: number, read: number): number {
  const same =
    history.valueLow[own] === history.valueLow[read] &&
    (history.valueHigh === undefined || history.valueHigh[own] === history.valueHigh[read]);
  return same ? own : (writes.find((op) => op >= start && op < read) ?? writes[0]);
}

/**
 * Returns the one readable write of another transaction, or says that there are several. Without one, it returns a
 * write that makes the read a bad one.
 */
function readableWrite({ writes, readable }: Writers, opTxn: Int32Array, reader: number): number {
  let one = -1;
  for (const write of readable) {
    if (opTxn[write] === reader) continue;
    if (one >= 0) return UNCLEAR;
    one = write;
  }
  return one < 0 ? (writes.find((op) => opTxn[op] !== reader) ?? writes[0]) : one;
}
