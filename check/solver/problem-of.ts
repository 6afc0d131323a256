/**
 * Turns a history into a problem (problem.ts): all or some of its transactions, their nodes, versions and reads, and
 * the demands of the weaker ones among them.
 */
import { OP } from '../../core/index-kv.ts';
import type { AwditLevel, KvHistory } from '../../core/index.ts';
import { PairTable } from '../../graph/index.ts';
import type { Links } from '../mini/link.ts';
import { realTime } from '../mini/real-time.ts';
import { hints } from './hints.ts';
import type { Problem, ProblemOptions } from './problem.ts';
import { column, readersOf, readsOf } from './reads.ts';
import type { Writes } from './reads.ts';
import { NONE_CHOSEN, choicesToMake, demandsOf } from './weak-levels.ts';

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
  const weak = (t: number): AwditLevel | undefined => options.weak?.(txn[t]);
  const reads = readsOf(links, txn, writes, placeOf, weak);
  const readers = readersOf(reads, writes.versions + writes.keyCount, nodes.session);
  const times = options.strict ? realTimeNodes(history, txn, nodes.chainNodes) : undefined;
  const nodeCount = nodes.chainNodes + (times?.count ?? 0);
  const problem = {
    links,
    size,
    txn,
    weak,
    nodeCount,
    ...nodes,
    ...writes,
    ...groups,
    ...reads,
    ...readers,
    nodeTxn: widened(nodes.nodeTxn, nodeCount),
    nodeSession: widened(nodes.nodeSession, nodeCount),
    hint: widened(hints(links, options.only === undefined ? placeOf : undefined, nodes), nodeCount),
    realTime: times,
  };
  return withDemands(problem);
}

function withDemands(problem: Omit<Problem, 'demands' | 'toChoose'>): Problem {
  if (problem.weakVersion.length === 0) return { ...problem, demands: [], toChoose: [] };
  const without: Problem = { ...problem, demands: [], toChoose: [] };
  return { ...without, demands: [...demandsOf(without, NONE_CHOSEN)], toChoose: choicesToMake(without) };
}

/** Maps transactions of a problem to those of its history. */
export function inHistory({ txn }: Problem, transactions: Int32Array): Int32Array {
  return transactions.map((t) => txn[t]);
}

function* liveOnes(live: Uint8Array): Generator<number> {
  for (let t = 0; t < live.length; t++) if (live[t] === 1) yield t;
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
      const key = keyOf(op); // including reads: an initial version belongs to a key
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

/** Makes one node for each rank at which a transaction begins. All ends below the rank enter it or an earlier node. */
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
