/**
 * A history as the solver sees it, in columns: transactions that count, numbered session by session; nodes of an order;
 * versions of keys with their writers and readers. What is open is only the order of the writers of a key, and whose
 * write a read of a repeated value returned.
 *
 * A session is a chain of nodes. A transaction of SERIALIZABLE is one node, one of SNAPSHOT ISOLATION two, begin and
 * commit: so, wr and ww run from a commit to a begin, rw from a begin to a commit. Each transaction is of its own level:
 * a history may mix the two.
 */
import { OP } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { PairTable } from '../../graph/index.ts';
import type { Links } from '../mini/link.ts';
import { realTime } from '../mini/real-time.ts';

export interface Problem {
  readonly links: Links;
  readonly size: number;
  /** Index in the history of each transaction. */
  readonly txn: Int32Array;
  readonly session: Int32Array;
  readonly sessions: number;
  /** Nodes of each transaction: equal where it is one node. */
  readonly begin: Int32Array;
  readonly commit: Int32Array;
  /** Nodes of session s: nodeStart[s] .. nodeStart[s + 1]; nodes beyond the last session's are of real time. */
  readonly nodeStart: Int32Array;
  readonly chainNodes: number;
  readonly nodeCount: number;
  /** Transaction of a node, -1 for one of real time; session of a node, -1 likewise. */
  readonly nodeTxn: Int32Array;
  readonly nodeSession: Int32Array;
  readonly keyCount: number;
  /** Versions of transaction t: writeStart[t] .. ; version v is of key writeKey[v]; the initial one of key k is versions + k. */
  readonly versions: number;
  readonly writeStart: Int32Array;
  readonly writeKey: Int32Array;
  readonly writeOp: Int32Array;
  readonly versionTxn: Int32Array;
  /** Versions of key k by transaction: keyVersion[keyStart[k] ..]; of them, runs of one session: group g is groupStart[g] .. */
  readonly keyStart: Int32Array;
  readonly keyVersion: Int32Array;
  readonly keyGroup: Int32Array;
  readonly groupStart: Int32Array;
  readonly groupSession: Int32Array;
  /** Reads from outside: of a version, or -1 - c for choice c. */
  readonly readStart: Int32Array;
  readonly readVersion: Int32Array;
  readonly readOp: Int32Array;
  /** Read slots of a version, the last of each session only, by transaction. */
  readonly readerStart: Int32Array;
  readonly readerSlot: Int32Array;
  readonly slotTxn: Int32Array;
  readonly choices: readonly Choice[];
  /** Per node: its place in the order of the file, for ties. */
  readonly hint: Int32Array;
  /** Ends before begins: transactions of each real-time node, by end, and the node each transaction begins after. */
  readonly realTime: { readonly enters: Int32Array; readonly leaves: Int32Array } | undefined;
}

/** A read of a value that several transactions wrote. */
export interface Choice {
  readonly slot: number;
  readonly versions: readonly number[];
}

export interface ProblemOptions {
  /** Of each transaction of the history: does it read a snapshot of its begin, or all at its commit? */
  readonly snapshot: (txn: number) => boolean;
  readonly strict: boolean;
  /** Some transactions only, ascending; default: all that count. Reads from others demand nothing then. */
  readonly only?: Int32Array;
}

export function problemOf(links: Links, options: ProblemOptions): Problem {
  const { history, live } = links;
  const txn = options.only ?? Int32Array.from(liveOnes(live));
  const size = txn.length;
  const place = options.only === undefined ? column(history.txnCount) : undefined;
  const placeMap = place === undefined ? new Map<number, number>() : undefined;
  for (let t = 0; t < size; t++) {
    if (place !== undefined) place[txn[t]] = t;
    else placeMap?.set(txn[t], t);
  }
  const placeOf = (t: number): number => (place === undefined ? (placeMap?.get(t) ?? -1) : place[t]);
  const nodes = nodesOf(history, txn, options);
  const writes = writesOf(links, txn);
  const groups = groupsOf(writes, nodes.session);
  const reads = readsOf(links, txn, writes, placeOf);
  const readers = readersOf(reads, writes.versions + writes.keyCount, nodes.session);
  const times = options.strict ? realTimeNodes(history, txn, nodes.chainNodes) : undefined;
  const nodeCount = nodes.chainNodes + (times?.count ?? 0);
  return {
    links,
    size,
    txn,
    nodeCount,
    ...nodes,
    ...writes,
    ...groups,
    ...reads,
    ...readers,
    nodeTxn: widened(nodes.nodeTxn, nodeCount),
    nodeSession: widened(nodes.nodeSession, nodeCount),
    hint: widened(hints(history, options.only === undefined ? placeOf : undefined, nodes), nodeCount),
    realTime: times,
  };
}

function* liveOnes(live: Uint8Array): Generator<number> {
  for (let t = 0; t < live.length; t++) if (live[t] === 1) yield t;
}

function column(length: number): Int32Array {
  return new Int32Array(length).fill(-1);
}

function widened(nodes: Int32Array, length: number): Int32Array {
  if (nodes.length === length) return nodes;
  const wide = column(length);
  wide.set(nodes);
  return wide;
}

type Nodes = Pick<Problem, 'session' | 'sessions' | 'begin' | 'commit' | 'nodeStart' | 'chainNodes' | 'nodeTxn' | 'nodeSession'>;

function nodesOf(history: KvHistory, txn: Int32Array, { snapshot }: ProblemOptions): Nodes {
  const size = txn.length;
  const [session, begin, commit] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
  const nodeStart = [0];
  let [node, at, last] = [0, 0, -1];
  for (let t = 0; t < size; t++) {
    while (history.sessionStart[at + 1] <= txn[t]) at++;
    if (at !== last) {
      if (last >= 0) nodeStart.push(node);
      last = at;
    }
    session[t] = nodeStart.length - 1;
    begin[t] = node++;
    commit[t] = snapshot(txn[t]) ? node++ : begin[t];
  }
  nodeStart.push(node);
  const [nodeTxn, nodeSession] = [new Int32Array(node), new Int32Array(node)];
  for (let t = 0; t < size; t++) {
    nodeTxn[begin[t]] = nodeTxn[commit[t]] = t;
    nodeSession[begin[t]] = nodeSession[commit[t]] = session[t];
  }
  return {
    session,
    sessions: nodeStart.length - 1,
    begin,
    commit,
    nodeStart: Int32Array.from(nodeStart),
    chainNodes: node,
    nodeTxn,
    nodeSession,
  };
}

function hints(history: KvHistory, placeOf: ((t: number) => number) | undefined, { begin, commit, chainNodes }: Nodes): Int32Array {
  const hint = new Int32Array(chainNodes);
  let next = 0;
  const give = (t: number): void => {
    if (t < 0) return;
    hint[begin[t]] = next++;
    if (commit[t] !== begin[t]) hint[commit[t]] = next++;
  };
  if (history.fileOrder === undefined || placeOf === undefined) for (let t = 0; t < begin.length; t++) give(t);
  else for (let i = 0; i < history.txnCount; i++) give(placeOf(history.fileOrder[i]));
  return hint;
}

type Writes = Pick<Problem, 'keyCount' | 'versions' | 'writeStart' | 'writeKey' | 'writeOp' | 'versionTxn'> & {
  readonly keyOf: (op: number) => number;
};

function writesOf({ history, final }: Links, txn: Int32Array): Writes {
  const { opStart, opEnd, keyLow, keyHigh, kind } = history;
  const table = new PairTable(1024);
  const keyOf = (op: number): number => table.add(keyLow[op], keyHigh === undefined ? keyLow[op] >> 31 : keyHigh[op]);
  const writeStart = new Int32Array(txn.length + 1);
  for (let t = 0; t < txn.length; t++) {
    let count = 0;
    for (let op = opStart[txn[t]]; op < opEnd[txn[t]]; op++) if (final[op] === 1 && kind[op] === OP.write) count++;
    writeStart[t + 1] = writeStart[t] + count;
  }
  const versions = writeStart[txn.length];
  const [writeKey, writeOp, versionTxn] = [new Int32Array(versions), new Int32Array(versions), new Int32Array(versions)];
  let v = 0;
  for (let t = 0; t < txn.length; t++) {
    for (let op = opStart[txn[t]]; op < opEnd[txn[t]]; op++) {
      const key = keyOf(op); // of reads too: an initial version is one of a key
      if (final[op] !== 1 || kind[op] !== OP.write) continue;
      [writeKey[v], writeOp[v], versionTxn[v]] = [key, op, t];
      v++;
    }
  }
  return { keyCount: table.size, versions, writeStart, writeKey, writeOp, versionTxn, keyOf };
}

type Groups = Pick<Problem, 'keyStart' | 'keyVersion' | 'keyGroup' | 'groupStart' | 'groupSession'>;

function groupsOf({ keyCount, versions, writeKey, versionTxn }: Writes, session: Int32Array): Groups {
  const keyStart = new Int32Array(keyCount + 1);
  for (let v = 0; v < versions; v++) keyStart[writeKey[v] + 1]++;
  for (let k = 0; k < keyCount; k++) keyStart[k + 1] += keyStart[k];
  const next = keyStart.slice();
  const keyVersion = new Int32Array(versions);
  for (let v = 0; v < versions; v++) keyVersion[next[writeKey[v]]++] = v;
  const keyGroup = new Int32Array(keyCount + 1);
  const [groupStart, groupSession] = [new Int32Array(versions + 1), new Int32Array(versions)];
  let groups = 0;
  for (let k = 0; k < keyCount; k++) {
    keyGroup[k] = groups;
    for (let i = keyStart[k]; i < keyStart[k + 1]; i++) {
      const s = session[versionTxn[keyVersion[i]]];
      if (groups > keyGroup[k] && groupSession[groups - 1] === s) continue;
      groupStart[groups] = i;
      groupSession[groups++] = s;
    }
  }
  keyGroup[keyCount] = groups;
  groupStart[groups] = versions;
  return { keyStart, keyVersion, keyGroup, groupStart: groupStart.slice(0, groups + 1), groupSession: groupSession.slice(0, groups) };
}

type Reads = Pick<Problem, 'readStart' | 'readVersion' | 'readOp' | 'slotTxn' | 'choices'>;

function readsOf(links: Links, txn: Int32Array, writes: Writes, placeOf: (t: number) => number): Reads {
  const { history, external, opTxn } = links;
  const { opStart, opEnd, kind } = history;
  const versionOf = versionLookup(history, txn, writes);
  const candidates = new Map(links.unclear.map(({ read, writes: of }) => [read, of]));
  const readStart = new Int32Array(txn.length + 1);
  const counts = (op: number): boolean => external[op] >= 0 || (links.version[op] < -1 && candidates.has(op));
  for (let t = 0; t < txn.length; t++) {
    let count = 0;
    for (let op = opStart[txn[t]]; op < opEnd[txn[t]]; op++) if (counts(op)) count++;
    readStart[t + 1] = readStart[t] + count;
  }
  const total = readStart[txn.length];
  const [readVersion, readOp, slotTxn] = [new Int32Array(total), new Int32Array(total), new Int32Array(total)];
  const choices: Choice[] = [];
  let slot = 0;
  for (let t = 0; t < txn.length; t++) {
    readStart[t] = slot;
    for (let op = opStart[txn[t]]; op < opEnd[txn[t]]; op++) {
      if (!counts(op)) continue;
      const v = external[op];
      [readOp[slot], slotTxn[slot]] = [op, t];
      if (v >= 0 && kind[v] !== OP.write) readVersion[slot++] = writes.versions + writes.keyOf(v);
      else if (v >= 0) {
        if (placeOf(opTxn[v]) >= 0) readVersion[slot++] = versionOf(v); // else its writer is left out
      } else {
        const others = (candidates.get(op) ?? []).filter((w) => opTxn[w] !== txn[t]);
        if (!others.every((w) => placeOf(opTxn[w]) >= 0)) continue;
        readVersion[slot] = -1 - choices.length;
        choices.push({ slot, versions: others.map(versionOf) });
        slot++;
      }
    }
  }
  readStart[txn.length] = slot;
  return {
    readStart,
    readVersion: readVersion.subarray(0, slot),
    readOp: readOp.subarray(0, slot),
    slotTxn: slotTxn.subarray(0, slot),
    choices,
  };
}

/** Operation -> version number. */
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

function readersOf({ readVersion, slotTxn }: Reads, versions: number, session: Int32Array): Pick<Problem, 'readerStart' | 'readerSlot'> {
  const start = new Int32Array(versions + 1);
  for (let i = 0; i < readVersion.length; i++) if (readVersion[i] >= 0) start[readVersion[i] + 1]++;
  for (let v = 0; v < versions; v++) start[v + 1] += start[v];
  const next = start.slice();
  const all = new Int32Array(start[versions]);
  for (let i = 0; i < readVersion.length; i++) if (readVersion[i] >= 0) all[next[readVersion[i]]++] = i;
  // of one session the last says what the others say
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

/** One node for each rank that somebody begins at: all ends below it enter it or one before. */
function realTimeNodes(
  history: KvHistory,
  txn: Int32Array,
  first: number,
): { enters: Int32Array; leaves: Int32Array; count: number } | undefined {
  const { beginAt, endAt } = history;
  if (beginAt === undefined || endAt === undefined) return undefined;
  const size = txn.length;
  const own = {
    ...history,
    txnCount: size,
    fileOrder: undefined,
    beginAt: Float64Array.from(txn, (t) => beginAt[t]),
    endAt: Float64Array.from(txn, (t) => endAt[t]),
  };
  const { byEnd, rank } = realTime(own, new Uint8Array(size).fill(1)) ?? { byEnd: new Int32Array(0), rank: new Int32Array(size) };
  const used = new Uint8Array(byEnd.length + 1);
  for (let t = 0; t < size; t++) used[rank[t]] = 1;
  const nodeOf = column(byEnd.length + 1);
  let count = 0;
  for (let r = 1; r <= byEnd.length; r++) if (used[r] === 1) nodeOf[r] = first + count++;
  const [enters, leaves] = [column(size), column(size)];
  let next = -1;
  for (let r = byEnd.length; r >= 1; r--) {
    if (nodeOf[r] >= 0) next = nodeOf[r];
    enters[byEnd[r - 1]] = next;
  }
  for (let t = 0; t < size; t++) if (rank[t] > 0) leaves[t] = nodeOf[rank[t]];
  return { enters, leaves, count };
}
