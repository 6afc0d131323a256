/**
 * A history in the form that the search uses: live transactions numbered densely, versions of keys, their readers and
 * writers. Only the order of the writers of each key is undecided.
 */
import { OP, kvKey } from '../../core/index-kv.ts';
import { realTime } from '../mini/real-time.ts';
import type { RealTime } from '../mini/real-time.ts';
import type { Links } from '../mini/link.ts';

export interface Problem {
  readonly links: Links;
  /** The number of live transactions, and each one's index in the history. */
  readonly size: number;
  readonly txn: Int32Array;
  readonly place: Int32Array;
  /** The sessions as lists of live transactions. */
  readonly sessions: readonly (readonly number[])[];
  /**
   * The version number of each operation that stands for one (a final write, or the first read of an initial version),
   * else -1.
   */
  readonly versionOf: Int32Array;
  /** The versions: key number, writer (-1: the initial version), operation, readers with the operation that read. */
  readonly versions: readonly Version[];
  /** For each key, its versions that have a writer, and the initial version's number or -1. */
  readonly keys: readonly { readonly written: readonly number[]; readonly initial: number }[];
  /** For each transaction, the versions that it reads from outside and those that it writes. */
  readonly reads: readonly (readonly number[])[];
  readonly writes: readonly (readonly number[])[];
  /** The transactions (their places) in the order of the file, which the search tries first. */
  readonly hint: Int32Array;
  readonly realTime: RealTime | undefined;
}

export interface Version {
  readonly key: number;
  readonly writer: number;
  readonly op: number;
  readonly readers: { readonly txn: number; readonly op: number }[];
}

/** Numbers the transactions that count, session by session. */
function placesOf({ history, live }: Links): { readonly place: Int32Array; readonly txns: number[]; readonly sessions: number[][] } {
  const place = new Int32Array(history.txnCount).fill(-1);
  const txns: number[] = [];
  const sessions: number[][] = [];
  for (let s = 0; s < history.sessionCount; s++) {
    const list: number[] = [];
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      if (live[t] === 0) continue;
      place[t] = txns.push(t) - 1;
      list.push(place[t]);
    }
    if (list.length > 0) sessions.push(list);
  }
  return { place, txns, sessions };
}

function fileOrderOf({ txnCount, fileOrder }: Links['history'], place: Int32Array, count: number): Int32Array {
  const hint = new Int32Array(count);
  let next = 0;
  for (let i = 0; i < txnCount; i++) {
    const t = fileOrder === undefined ? i : fileOrder[i];
    if (place[t] >= 0) hint[place[t]] = next++;
  }
  return hint;
}

/** `strict` asks for real-time order. The result is undefined if the history has no times. */
export function problemOf(links: Links, strict: boolean): Problem {
  const { history, live, external, final, opTxn } = links;
  const { place, txns, sessions } = placesOf(links);
  const versionOf = new Int32Array(history.opCount).fill(-1);
  const versions: Version[] = [];
  const keyNumbers = new Map<bigint, number>();
  const keys: { written: number[]; initial: number }[] = [];
  const keyOf = (op: number): number => {
    const key = kvKey(history, op);
    let k = keyNumbers.get(key);
    if (k === undefined) keyNumbers.set(key, (k = keys.push({ written: [], initial: -1 }) - 1));
    return k;
  };
  const reads: number[][] = txns.map(() => []);
  const writes: number[][] = txns.map(() => []);
  for (let op = 0; op < history.opCount; op++) {
    if (final[op] === 0) continue;
    const key = keyOf(op);
    versionOf[op] = versions.push({ key, writer: place[opTxn[op]], op, readers: [] }) - 1;
    keys[key].written.push(versionOf[op]);
    writes[place[opTxn[op]]].push(versionOf[op]);
  }
  for (let op = 0; op < history.opCount; op++) {
    const v = external[op];
    if (v < 0) continue;
    if (versionOf[v] < 0) {
      if (history.kind[v] === OP.write) continue; // the writer of this version is left out
      const key = keyOf(v);
      versionOf[v] = versions.push({ key, writer: -1, op: v, readers: [] }) - 1;
      keys[key].initial = versionOf[v];
    }
    const reader = place[opTxn[op]];
    versions[versionOf[v]].readers.push({ txn: reader, op });
    reads[reader].push(versionOf[v]);
  }
  return {
    links,
    size: txns.length,
    txn: Int32Array.from(txns),
    place,
    sessions,
    versionOf,
    versions,
    keys,
    reads,
    writes,
    hint: fileOrderOf(history, place, txns.length),
    realTime: strict ? realTime(history, live) : undefined,
  };
}
