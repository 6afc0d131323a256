/**
 * Finds a topological order of the edges that breaks few reads. A node waits, while any other can go, for the readers
 * of the versions that it overwrites and for the writers that have begun and write its keys. A begin waits until its
 * commit can follow at once, because transactions that do not overlap break nothing. Ties are settled by the order of
 * the file. O((nodes + edges) log sessions) plus the cost of waiting. Nodes that are left over are on or behind a
 * cycle.
 */
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';

/** Returns the nodes in order. The result is shorter than all of them if the edges have a cycle. */
export function schedule(problem: Problem, edges: Edges): Int32Array {
  return new Scheduler(problem, edges).run();
}

class Scheduler {
  private readonly problem: Problem;
  private readonly edges: Edges;
  private readonly order: Int32Array;
  private readonly rank: Int32Array;
  private placed = 0;
  /** For each node, the number of predecessors that are not placed. */
  private readonly missing: Int32Array;
  /** The nodes that only versions hold back, least rank first. */
  private readonly ready: Int32Array;
  private readySize = 0;
  /** For each key, the list of nodes that wait for it. For each node, the next one, and the key, or -1. */
  private readonly waiting: Int32Array;
  private readonly nextWaiting: Int32Array;
  private readonly waitsFor: Int32Array;
  private readonly current: Int32Array;
  /** For each version, the number of read slots whose transaction has not begun. */
  private readonly pending: Int32Array;
  /** For each key, the number of transactions between begin and commit that write it. */
  private readonly open: Int32Array;
  /** For each version, the transaction that was seen to read it. */
  private readonly mine: Int32Array;
  /** Nodes that have waited. Those that went meanwhile are dropped at the next search. */
  private readonly parked: number[] = [];
  private readonly listed: Uint8Array;

  constructor(problem: Problem, edges: Edges) {
    const { nodeCount, keyCount, versions, readVersion, chainNodes, nodeSession } = problem;
    this.problem = problem;
    this.edges = edges;
    this.rank = problem.hint;
    this.order = new Int32Array(nodeCount);
    this.missing = new Int32Array(nodeCount);
    this.ready = new Int32Array(nodeCount + 1);
    this.waiting = new Int32Array(keyCount).fill(-1);
    this.nextWaiting = new Int32Array(nodeCount);
    this.waitsFor = new Int32Array(nodeCount).fill(-1);
    this.current = new Int32Array(keyCount);
    for (let k = 0; k < keyCount; k++) this.current[k] = versions + k;
    this.pending = new Int32Array(versions + keyCount);
    for (let i = 0; i < readVersion.length; i++) if (readVersion[i] >= 0) this.pending[readVersion[i]]++;
    this.open = new Int32Array(keyCount);
    this.listed = new Uint8Array(nodeCount);
    this.mine = new Int32Array(versions + keyCount).fill(-1);
    for (let e = 0; e < edges.count; e++) this.missing[edges.to[e]]++;
    for (let node = 1; node < chainNodes; node++) if (nodeSession[node] === nodeSession[node - 1]) this.missing[node]++;
  }

  run(): Int32Array {
    for (let node = 0; node < this.missing.length; node++) if (this.missing[node] === 0) this.push(node);
    for (;;) {
      while (this.readySize > 0) {
        const node = this.pop();
        const key = this.obstacle(node);
        if (key < 0) this.place(node);
        else this.park(node, key);
      }
      const node = this.leastParked();
      if (node < 0) return this.order.subarray(0, this.placed);
      this.unpark(node);
      this.place(node);
    }
  }

  /** Returns a key because of which the node should wait, or -1. */
  private obstacle(node: number): number {
    const { problem, current, pending, open, mine } = this;
    const { nodeTxn, begin, commit, writeStart, writeKey, readStart, readVersion } = problem;
    const t = nodeTxn[node];
    if (t < 0) return -1;
    const start = writeStart[t];
    const end = writeStart[t + 1];
    if (start === end) return -1;
    const single = begin[t] === commit[t];
    const starts = node === begin[t] && !single;
    if (starts) {
      for (let v = start; v < end; v++) if (open[writeKey[v]] > 0) return writeKey[v];
      if (this.missing[commit[t]] > 1) return writeKey[start];
    }
    if (single || starts) for (let i = readStart[t]; i < readStart[t + 1]; i++) if (readVersion[i] >= 0) mine[readVersion[i]] = t;
    for (let v = start; v < end; v++) {
      const now = current[writeKey[v]];
      if (pending[now] > ((single || starts) && mine[now] === t ? 1 : 0)) return writeKey[v];
    }
    return -1;
  }

  private place(node: number): void {
    const { problem, edges } = this;
    const { nodeTxn, begin, commit, writeStart, writeKey, readStart, readVersion, versions, chainNodes, nodeSession } = problem;
    this.order[this.placed++] = node;
    const t = nodeTxn[node];
    if (t >= 0 && node === begin[t]) {
      for (let i = readStart[t]; i < readStart[t + 1]; i++) {
        const v = readVersion[i];
        if (v >= 0 && --this.pending[v] <= 1) this.wake(v < versions ? writeKey[v] : v - versions);
      }
      if (node !== commit[t]) for (let v = writeStart[t]; v < writeStart[t + 1]; v++) this.open[writeKey[v]]++;
    }
    if (t >= 0 && node === commit[t]) {
      for (let v = writeStart[t]; v < writeStart[t + 1]; v++) {
        this.current[writeKey[v]] = v;
        if (node !== begin[t]) this.open[writeKey[v]]--;
        this.wake(writeKey[v]);
      }
    }
    for (let e = edges.outHead[node]; e >= 0; e = edges.outNext[e]) this.lessMissing(edges.to[e]);
    if (node + 1 < chainNodes && nodeSession[node + 1] === nodeSession[node]) this.lessMissing(node + 1);
  }

  private lessMissing(node: number): void {
    const left = --this.missing[node];
    if (left === 0) this.push(node);
    if (left !== 1) return;
    // If the node is a commit that lacks only its begin, the waiting begin is released.
    const begin = node - 1;
    if (begin < 0 || this.waitsFor[begin] < 0 || this.problem.nodeTxn[begin] !== this.problem.nodeTxn[node]) return;
    this.unpark(begin);
    this.push(begin);
  }

  private park(node: number, key: number): void {
    this.waitsFor[node] = key;
    this.nextWaiting[node] = this.waiting[key];
    this.waiting[key] = node;
    if (this.listed[node] === 0) this.parked.push(node);
    this.listed[node] = 1;
  }

  /** Lets every node that waits for the key try again. */
  private wake(key: number): void {
    let node = this.waiting[key];
    this.waiting[key] = -1;
    while (node >= 0) {
      this.waitsFor[node] = -1;
      this.push(node);
      node = this.nextWaiting[node];
    }
  }

  private unpark(node: number): void {
    const key = this.waitsFor[node];
    this.waitsFor[node] = -1;
    if (this.waiting[key] === node) {
      this.waiting[key] = this.nextWaiting[node];
      return;
    }
    let before = this.waiting[key];
    while (this.nextWaiting[before] !== node) before = this.nextWaiting[before];
    this.nextWaiting[before] = this.nextWaiting[node];
  }

  /** Returns the waiting node of least rank, or -1. */
  private leastParked(): number {
    const { parked, listed, waitsFor, rank } = this;
    let least = -1;
    let kept = 0;
    for (const node of parked) {
      if (waitsFor[node] < 0) {
        listed[node] = 0;
        continue;
      }
      parked[kept++] = node;
      if (least < 0 || rank[node] < rank[least]) least = node;
    }
    parked.length = kept;
    return least;
  }

  private push(node: number): void {
    const { ready, rank: hint } = this;
    const rank = hint[node];
    let at = this.readySize++;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (hint[ready[up]] <= rank) break;
      ready[at] = ready[up];
      at = up;
    }
    ready[at] = node;
  }

  private pop(): number {
    const { ready, rank: hint } = this;
    const top = ready[0];
    const last = ready[--this.readySize];
    const size = this.readySize;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= size) break;
      if (down + 1 < size && hint[ready[down + 1]] < hint[ready[down]]) down++;
      if (hint[ready[down]] >= hint[last]) break;
      ready[at] = ready[down];
      at = down;
    }
    ready[at] = last;
    return top;
  }
}
