/**
 * Finds transactions of unknown outcome that took effect, as reads show: a transaction that took effect read a value
 * that no other one can have written. A witness that rests on such a transaction rests on the reader too.
 */
import { OP, TXN_STATUS, kvKey, kvValue } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';

/** Two writers of a value other than the reader are enough to know that the writer is not unique. */
const MOST_WRITERS = 3;

interface Writers {
  /** The value was their last one of the key. */
  readonly last: number[];
  /** They wrote another value of the key after it, so only a bad read can be of theirs. */
  readonly overwritten: number[];
}

/**
 * Maps a transaction of unknown outcome to one that read from it and is committed or in the map itself. It makes two
 * passes over the history.
 */
export function tookEffect(history: KvHistory): ReadonlyMap<number, number> {
  const { txnCount, status } = history;
  const shownBy = new Map<number, number>();
  const writers = writersOfUnknown(history);
  if (writers.size === 0) return shownBy;
  const open: number[] = [];
  for (let t = 0; t < txnCount; t++) if (status[t] === TXN_STATUS.committed) open.push(t);
  for (let reader = open.pop(); reader !== undefined; reader = open.pop())
    for (const slot of readFromOthers(history, reader)) {
      const writer = onlyWriter(writers.get(slot), reader);
      if (writer === undefined || status[writer] !== TXN_STATUS.unknown || shownBy.has(writer)) continue;
      shownBy.set(writer, reader);
      open.push(writer);
    }
  return shownBy;
}

/** Returns the one writer of the value beside the reader. The result is undefined if there are several, or none. */
function onlyWriter(writers: Writers | undefined, reader: number): number | undefined {
  if (writers === undefined) return undefined;
  const others = (of: readonly number[]): readonly number[] => of.filter((t) => t !== reader);
  const [last, overwritten] = [others(writers.last), others(writers.overwritten)];
  const able = last.length > 0 ? last : overwritten;
  return able.length === 1 ? able[0] : undefined;
}

/** Returns the writers of each value that a transaction of unknown outcome wrote, without the aborted ones. */
function writersOfUnknown(history: KvHistory): ReadonlyMap<string, Writers> {
  const { txnCount, status } = history;
  const writers = new Map<string, Writers>();
  for (const outcome of [TXN_STATUS.unknown, TXN_STATUS.committed])
    for (let t = 0; t < txnCount; t++) {
      if (status[t] !== outcome) continue;
      if (outcome === TXN_STATUS.committed && writers.size === 0) return writers;
      for (const [slot, kind] of writtenBy(history, t)) {
        let known = writers.get(slot);
        if (known === undefined && outcome === TXN_STATUS.unknown) writers.set(slot, (known = { last: [], overwritten: [] }));
        if (known !== undefined && known[kind].length < MOST_WRITERS) known[kind].push(t);
      }
    }
  return writers;
}

/** Returns the values that a transaction wrote, each once. */
function writtenBy(history: KvHistory, t: number): ReadonlyMap<string, keyof Writers> {
  const { opStart, opEnd, kind } = history;
  const last = new Map<string, string>();
  const found = new Map<string, keyof Writers>();
  for (let op = opStart[t]; op < opEnd[t]; op++) {
    if (kind[op] !== OP.write) continue;
    const [key, slot] = [String(kvKey(history, op)), slotOf(history, op)];
    const before = last.get(key);
    if (before !== undefined) found.set(before, 'overwritten');
    last.set(key, slot);
    found.set(slot, 'last');
  }
  return found;
}

/** Returns the values that a transaction read and had not written itself before. */
function readFromOthers(history: KvHistory, t: number): readonly string[] {
  const { opStart, opEnd, kind } = history;
  const written = new Set<string>();
  const slots: string[] = [];
  for (let op = opStart[t]; op < opEnd[t]; op++) {
    const slot = slotOf(history, op);
    if (kind[op] === OP.write) written.add(slot);
    else if (kind[op] === OP.read && !written.has(slot)) slots.push(slot);
  }
  return slots;
}

function slotOf(history: KvHistory, op: number): string {
  return `${kvKey(history, op)} ${kvValue(history, op)}`;
}
