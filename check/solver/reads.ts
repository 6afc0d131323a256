/**
 * The reads of a problem, in columns of slots. First come those that ask for the version in force, then those of
 * transactions of weaker levels, which ask only for an order of writers (weak-levels.ts). A read from a transaction
 * that is left out demands nothing. A read of a value that several transactions wrote is a choice.
 */
import { OP } from '../../core/index-kv.ts';
import type { AwditLevel, KvHistory } from '../../core/index.ts';
import type { Links } from '../mini/link.ts';
import type { Choice, Problem } from './problem.ts';

export type Writes = Pick<Problem, 'keyCount' | 'versions' | 'writeStart' | 'writeKey' | 'writeOp' | 'versionTxn' | 'keyOf'>;
type Reads = Pick<Problem, 'readStart' | 'readVersion' | 'readOp' | 'slotTxn' | 'choices' | 'weakStart' | 'weakVersion'>;

export function readsOf(
  links: Links,
  txn: Int32Array,
  writes: Writes,
  placeOf: (t: number) => number,
  weak: (t: number) => AwditLevel | undefined,
): Reads {
  const { external, opTxn, history, version } = links;
  const { opStart, opEnd, kind } = history;
  const versionOf = versionLookup(history, txn, writes);
  const candidates = new Map(links.unclear.map(({ read, writes: of }) => [read, of]));
  const isChoice = (op: number): boolean => version[op] < -1 && candidates.has(op);
  let most = 0;
  for (const t of txn) for (let op = opStart[t]; op < opEnd[t]; op++) if (kind[op] !== OP.write) most++;
  const [read, readOp, slotTxn] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  const choices: Choice[] = [];
  let slot = 0;
  /** `v` is the operation that made the version. Below 0 it is a choice. */
  const add = (t: number, op: number, v: number): void => {
    [readOp[slot], slotTxn[slot]] = [op, t];
    if (v >= 0 && kind[v] !== OP.write) read[slot++] = writes.versions + writes.keyOf(v);
    else if (v >= 0) {
      if (placeOf(opTxn[v]) >= 0) read[slot++] = versionOf(v); // otherwise its writer is left out
    } else {
      const others = (candidates.get(op) ?? []).filter((w) => opTxn[w] !== txn[t]);
      if (!others.every((w) => placeOf(opTxn[w]) >= 0)) return;
      const versions = others.map(versionOf);
      // A choice without alternatives would be a contradiction without a cause, and a writer without a version is left
      // out.
      if (versions.length === 0 || versions.some((each) => each < 0)) return;
      read[slot] = -1 - choices.length;
      choices.push({ slot, versions });
      slot++;
    }
  };
  const readStart = new Int32Array(txn.length + 1);
  for (let t = 0; t < txn.length; t++) {
    if (weak(t) === undefined)
      for (let op = opStart[txn[t]]; op < opEnd[txn[t]]; op++) if (external[op] >= 0 || isChoice(op)) add(t, op, external[op]);
    readStart[t + 1] = slot;
  }
  const strong = slot;
  const weakStart = new Int32Array(txn.length + 1);
  for (let t = 0; t < txn.length; t++) {
    if (weak(t) !== undefined) for (const op of weakReads(links, txn[t], writes.keyOf)) add(t, op, isChoice(op) ? -1 : version[op]);
    weakStart[t + 1] = slot - strong;
  }
  return {
    readStart,
    readVersion: read.subarray(0, strong),
    weakStart,
    weakVersion: read.subarray(strong, slot),
    readOp: readOp.subarray(0, slot),
    slotTxn: slotTxn.subarray(0, slot),
    choices,
  };
}

/**
 * Yields every valid read from outside. A weak level may read a key twice and see two versions. It may also see the
 * same version again after it has read something that forbids it.
 */
function* weakReads({ history, version, final, opTxn }: Links, t: number, keyOf: (op: number) => number): Generator<number> {
  const { opStart, opEnd, kind } = history;
  const own = new Set<number>();
  for (let op = opStart[t]; op < opEnd[t]; op++) {
    const v = version[op];
    if (kind[op] === OP.write) own.add(keyOf(op));
    else if (own.has(keyOf(op)) || v === -1) continue;
    else if (v < 0 || kind[v] !== OP.write || (final[v] === 1 && opTxn[v] !== t)) yield op;
  }
}

/** Maps an operation to its version number. */
function versionLookup(history: KvHistory, txn: Int32Array, { writeOp }: Writes): (op: number) => number {
  if (txn.length * 16 < history.txnCount) {
    const numbers = new Map<number, number>();
    writeOp.forEach((op, v) => numbers.set(op, v));
    return (op) => numbers.get(op) ?? -1;
  }
  const numbers = column(history.opCount);
  for (let v = 0; v < writeOp.length; v++) numbers[writeOp[v]] = v;
  return (op) => numbers[op];
}

/** Returns the readers of each version in force. Each session has only its last reader, which implies the others. */
export function readersOf(
  { readVersion, slotTxn }: Reads,
  versions: number,
  session: Int32Array,
): Pick<Problem, 'readerStart' | 'readerSlot'> {
  const start = new Int32Array(versions + 1);
  for (let i = 0; i < readVersion.length; i++) if (readVersion[i] >= 0) start[readVersion[i] + 1]++;
  for (let v = 0; v < versions; v++) start[v + 1] += start[v];
  const next = start.slice();
  const all = new Int32Array(start[versions]);
  for (let i = 0; i < readVersion.length; i++) if (readVersion[i] >= 0) all[next[readVersion[i]]++] = i;
  const readerStart = new Int32Array(versions + 1);
  let kept = 0;
  for (let v = 0; v < versions; v++) {
    readerStart[v] = kept;
    for (let i = start[v]; i < start[v + 1]; i++) {
      const s = session[slotTxn[all[i]]];
      if (kept > readerStart[v] && session[slotTxn[all[kept - 1]]] === s) kept--;
      all[kept++] = all[i];
    }
  }
  readerStart[versions] = kept;
  return { readerStart, readerSlot: all.slice(0, kept) };
}

/** Returns a column filled with -1. */
export function column(length: number): Int32Array {
  return new Int32Array(length).fill(-1);
}
