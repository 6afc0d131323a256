/**
 * What follows without a decision, by vector clocks and without lists of pairs. The clock of a node says how far into each
 * session its past reaches. r reads w's version of a key that w' writes too:
 *
 *   w' in the past of r               w' before w       (`before`)
 *   w in the past of w'               r before w'       (`rw`)
 *   of snapshots: w begun before w' commits, then w committed before w' begins    (`ww`)
 *
 * A round goes once along a topological order and lists the versions of each key as it meets them. A look goes back along
 * the list, and ends where a writer in the past has all that is left in its own past (`floor`): what must be said of those
 * was said when that writer was looked at, and the rest is transitive. Most looks end at the first version. A new edge is in
 * no clock before the next round, whose lists are of an order that keeps it, unless this one keeps it too. An edge that
 * the clocks imply already is not drawn; after the first round only nodes whose clock has changed draw any. Nodes x sessions
 * integers of memory; a round takes O(operations) and what lies between a look and its floor, at most some versions for
 * each session that writes the key: a look that has passed those asks for the last writer of each session (`readerFar`).
 */
import { EDGE } from './edges.ts';
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';

export type ClockRows = Uint8Array | Uint16Array | Int32Array;

/** By bytes of an entry. */
const ROWS = { 1: Uint8Array, 2: Uint16Array, 4: Int32Array } as const;

const WORD = 4;

/** Bytes of the clocks of all nodes. */
export function clockBytes({ nodeCount, sessions, nodeStart }: Problem): number {
  return nodeCount * strideOf(sessions, bytesEach(nodeStart)) * bytesEach(nodeStart);
}

/** Entries of a row: whole words, so that rows can be compared by words. */
function strideOf(sessions: number, bytes: keyof typeof ROWS): number {
  return (Math.ceil((sessions * bytes) / WORD) * WORD) / bytes;
}

/** Many sessions are short ones: then an entry takes a byte. */
function bytesEach(nodeStart: Int32Array): keyof typeof ROWS {
  let longest = 0;
  for (let s = 0; s + 1 < nodeStart.length; s++) longest = Math.max(longest, nodeStart[s + 1] - nodeStart[s]);
  return longest < 255 ? 1 : longest < 65_535 ? 2 : 4;
}

export class Saturation {
  /** Clock of a node: rows[node * stride + s] nodes of session s are in its past. */
  readonly rows: ClockRows;
  private readonly stride: number;
  /** The same rows, some entries at once; per row, and entries of each. */
  private readonly words: Int32Array;
  private readonly rowWords: number;
  private readonly lanes: number;
  /** How many edges were there when the last round began. */
  private seen = 0;
  /** And this one. */
  private before = 0;
  private rounds = 0;
  private readonly problem: Problem;
  private readonly edges: Edges;
  private readonly changed: Uint8Array;
  /** 1: its clock grew while its own versions were looked at, so they are looked at again in the next round. */
  private readonly again: Uint8Array;
  /** Per node its place in the order of this round; later ones have old clocks. */
  private readonly placeOf: Int32Array;
  // The versions of key k in the order of this round: lists keyStart[k] .. keyStart[k] + length[k], so that a look finds them together
  private readonly length: Int32Array;
  private readonly list: Int32Array;
  /** Session of the writer; its begin and commit, counted from the start of the session; where the floor is. */
  private readonly ofSession: Int32Array;
  private readonly writerBegin: Int32Array;
  private readonly writerCommit: Int32Array;
  private readonly floor: Int32Array;
  /** Per version its place in its list. */
  private readonly listedAt: Int32Array;

  constructor(problem: Problem, edges: Edges) {
    this.problem = problem;
    this.edges = edges;
    const { nodeCount, sessions, nodeStart, chainNodes, size } = problem;
    const bytes = bytesEach(nodeStart);
    this.stride = strideOf(sessions, bytes);
    this.rows = new ROWS[bytes](nodeCount * this.stride);
    this.words = new Int32Array(this.rows.buffer);
    this.lanes = WORD / bytes;
    this.rowWords = this.stride / this.lanes;
    this.changed = new Uint8Array(nodeCount);
    this.again = new Uint8Array(nodeCount);
    this.placeOf = new Int32Array(nodeCount);
    const { keyCount, versions } = problem;
    this.length = new Int32Array(keyCount);
    this.list = new Int32Array(versions);
    this.ofSession = new Int32Array(versions);
    this.writerBegin = new Int32Array(versions);
    // a transaction of one node has the same place for both
    this.writerCommit = chainNodes === size ? this.writerBegin : new Int32Array(versions);
    this.floor = new Int32Array(versions);
    this.listedAt = new Int32Array(versions);
  }

  /** One round along a topological order of all edges; returns whether there is more to come: edges that it has added, or nodes to look at again. */
  round(order: Int32Array): number {
    const { problem, placeOf, changed, again, edges } = this;
    const { nodeTxn, begin, commit, writeStart } = problem;
    const { count: before } = edges;
    this.before = before;
    const first = this.rounds++ === 0;
    this.length.fill(0);
    for (let i = 0; i < order.length; i++) placeOf[order[i]] = i;
    for (let i = 0; i < order.length; i++) {
      const node = order[i];
      const grew = first ? this.joinAll(node) : this.joinChanged(node);
      const looks = grew || first || again[node] === 1;
      changed[node] = looks ? 1 : 0;
      again[node] = 0;
      const t = nodeTxn[node];
      if (t < 0) continue;
      if (node === begin[t]) {
        if (looks) this.readersOf(t, node);
        if (node !== commit[t]) for (let v = writeStart[t]; v < writeStart[t + 1]; v++) this.listVersion(v);
      }
      if (node === commit[t] && this.writersOf(t, node, looks)) again[node] = 1;
    }
    this.seen = before;
    return edges.count - before + (again.includes(1) ? 1 : 0);
  }

  /** Is `u` in the past of `v`? Only of nodes of sessions. */
  knows(v: number, u: number): boolean {
    const { nodeSession, nodeStart } = this.problem;
    const s = nodeSession[u];
    return this.rows[v * this.stride + s] > u - nodeStart[s];
  }

  private joinAll(node: number): boolean {
    const { problem, edges, rows, stride } = this;
    const { nodeSession, nodeStart, chainNodes } = problem;
    const own = nodeSession[node];
    if (node < chainNodes && node > nodeStart[own]) rows.copyWithin(node * stride, (node - 1) * stride, node * stride);
    if (own >= 0) rows[node * stride + own] = node - nodeStart[own];
    for (let e = edges.inHead[node]; e >= 0; e = edges.inNext[e]) {
      const from = edges.from[e];
      const s = nodeSession[from];
      // who knows it knows its past
      if (s < 0 || rows[node * stride + s] <= from - nodeStart[s]) this.join(node, from);
    }
    return true;
  }

  /** Only from nodes whose clock has changed, and along new edges. */
  private joinChanged(node: number): boolean {
    const { problem, edges, changed, seen } = this;
    const { nodeSession, nodeStart, chainNodes } = problem;
    let grew = false;
    if (node < chainNodes && node > nodeStart[nodeSession[node]] && changed[node - 1] === 1) grew = this.join(node, node - 1);
    for (let e = edges.inHead[node]; e >= 0; e = edges.inNext[e]) {
      if ((e >= seen || changed[edges.from[e]] === 1) && this.join(node, edges.from[e])) grew = true;
    }
    return grew;
  }

  /** A kernel: takes the greater of each entry. Most words have nothing that is greater, which one comparison of all their entries says. */
  private join(node: number, from: number): boolean {
    const { rows, words, rowWords, lanes, stride } = this;
    const { nodeSession, nodeStart } = this.problem;
    const to = node * rowWords;
    const at = from * rowWords;
    let grew = false;
    for (let w = 0; w < rowWords; w++) {
      const mine = words[to + w];
      const other = words[at + w];
      if (mine === other || (lanes === 4 ? bytesReach(mine, other) : lanes === 2 && halvesReach(mine, other))) continue;
      for (let lane = w * lanes, end = lane + lanes; lane < end; lane++) {
        if (rows[at * lanes + lane] <= rows[to * lanes + lane]) continue;
        rows[to * lanes + lane] = rows[at * lanes + lane];
        grew = true;
      }
    }
    const s = nodeSession[from];
    if (s >= 0 && rows[node * stride + s] <= from - nodeStart[s]) {
      rows[node * stride + s] = from - nodeStart[s] + 1;
      grew = true;
    }
    return grew;
  }

  /** Writers in the past of a reader, other than the one it read, come before that one. A kernel: loops over reads and lists. */
  private readersOf(t: number, node: number): void {
    const { problem, rows, stride, length, list, ofSession, writerCommit, floor, listedAt } = this;
    const { readStart, readVersion, versions, writeKey, versionTxn, keyStart, begin } = problem;
    const row = node * stride;
    for (let i = readStart[t]; i < readStart[t + 1]; i++) {
      const version = readVersion[i];
      if (version < 0 || version >= versions) continue; // readers of an initial version are the writers' business
      const key = writeKey[version];
      const to = begin[versionTxn[version]];
      const known = to * stride;
      const own = listedAt[version];
      let least = floor[own];
      const top = keyStart[key] + length[key] - 1;
      const stop = top - this.most(key);
      for (let at = top; at >= least; at--) {
        if (at <= stop) {
          this.readerFar(i, node, to, at);
          break;
        }
        const s = ofSession[at];
        if (at === own || writerCommit[at] >= rows[row + s]) continue;
        if (floor[at] > least) least = floor[at];
        if (rows[known + s] <= writerCommit[at]) this.drawBefore(list[at], to, i);
      }
    }
  }

  /** Readers of versions whose writers are in the past of a writer come before it; true when its own clock has grown. A kernel. */
  private writersOf(t: number, node: number, looks: boolean): boolean {
    const { problem, rows, stride, length, ofSession, writerBegin, floor, listedAt } = this;
    const { writeStart, writeKey, keyStart, begin, commit, versions } = problem;
    const row = node * stride;
    let grew = false;
    for (let v = writeStart[t]; v < writeStart[t + 1]; v++) {
      const key = writeKey[v];
      if (begin[t] === commit[t]) this.listVersion(v);
      const own = listedAt[v];
      const top = keyStart[key] + length[key] - 1;
      const stop = top - this.most(key);
      let least = keyStart[key];
      let missing = own;
      let any = false;
      for (let at = top; at >= least; at--) {
        if (at <= stop) {
          missing = least;
          any = true; // or the groups say it
          if (looks && this.writerFar(v, t, node, at)) grew = true;
          break;
        }
        if (at === own) continue;
        if (writerBegin[at] >= rows[row + ofSession[at]]) {
          if (at < missing) missing = at;
          continue;
        }
        any = true;
        if (floor[at] > least) least = floor[at];
        if (looks && this.follows(at, t, node)) grew = true;
      }
      floor[own] = missing;
      // the initial version is before all; who comes after a writer comes after what that one does
      if (looks && !any && this.readersFirst(versions + key, t, node)) grew = true;
    }
    return grew;
  }

  /** Appends a version to the list of its key. */
  private listVersion(v: number): void {
    const { problem, ofSession, listedAt } = this;
    const { writeKey, versionTxn, keyStart, begin, commit, session, nodeStart } = problem;
    const key = writeKey[v];
    const t = versionTxn[v];
    const at = keyStart[key] + this.length[key]++;
    this.list[at] = v;
    listedAt[v] = at;
    ofSession[at] = session[t];
    this.writerBegin[at] = begin[t] - nodeStart[session[t]];
    this.writerCommit[at] = commit[t] - nodeStart[session[t]];
    this.floor[at] = keyStart[key];
  }

  /** How many versions a look passes before it asks session by session. */
  private most(key: number): number {
    return 2 * (this.problem.keyGroup[key + 1] - this.problem.keyGroup[key]) + 8;
  }

  /** What a look at a read has not passed, by the last writer in the past of each session. */
  private readerFar(slot: number, node: number, to: number, from: number): void {
    const { problem, rows, stride, listedAt, writerCommit } = this;
    const { readVersion, writeKey, keyGroup, groupSession } = problem;
    const key = writeKey[readVersion[slot]];
    for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
      const s = groupSession[g];
      const v = this.lastInPast(g, rows[node * stride + s], problem.commit);
      if (v < 0 || v === readVersion[slot] || listedAt[v] > from) continue;
      if (rows[to * stride + s] <= writerCommit[listedAt[v]]) this.drawBefore(v, to, slot);
    }
  }

  /** The same for a writer. */
  private writerFar(version: number, t: number, node: number, from: number): boolean {
    const { problem, rows, stride, listedAt } = this;
    const { writeKey, keyGroup, groupSession, versions, begin, session, nodeStart } = problem;
    const key = writeKey[version];
    let initial = true;
    let grew = false;
    for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
      const s = groupSession[g];
      const v = this.lastInPast(g, s === session[t] ? begin[t] - nodeStart[s] : rows[node * stride + s], begin);
      if (v < 0) continue;
      initial = false;
      if (listedAt[v] <= from && this.follows(listedAt[v], t, node)) grew = true;
    }
    return (initial && this.readersFirst(versions + key, t, node)) || grew;
  }

  /** The last version of a group whose writer's begin or commit is among the first `past` nodes of its session; -1: none. */
  private lastInPast(group: number, past: number, nodes: Int32Array): number {
    const { groupStart, groupSession, keyVersion, versionTxn, nodeStart } = this.problem;
    const end = nodeStart[groupSession[group]] + past;
    let low = groupStart[group] - 1;
    let high = groupStart[group + 1] - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (nodes[versionTxn[keyVersion[middle]]] < end) low = middle;
      else high = middle - 1;
    }
    return low < groupStart[group] ? -1 : keyVersion[low];
  }

  /** The writer of a version before another writer, because of a read; other readers have often just said so. */
  private drawBefore(version: number, to: number, slot: number): void {
    const { edges, before, problem } = this;
    const from = problem.commit[problem.versionTxn[version]];
    let few = 32;
    for (let e = edges.inHead[to]; e >= before && few > 0; e = edges.inNext[e], few--) if (edges.from[e] === from) return;
    edges.add(from, to, EDGE.before, slot);
  }

  /** A version whose writer had begun before t committed: it had committed before t began, and who read it comes first. */
  private follows(at: number, t: number, node: number): boolean {
    const { rows, stride, problem, edges, ofSession, writerCommit, list } = this;
    const { begin, nodeStart } = problem;
    const s = ofSession[at];
    if (rows[begin[t] * stride + s] <= writerCommit[at]) edges.add(writerCommit[at] + nodeStart[s], begin[t], EDGE.ww, list[at]);
    return this.readersFirst(list[at], t, node);
  }

  private readersFirst(version: number, t: number, node: number): boolean {
    const { problem, rows, stride, placeOf, edges } = this;
    const { readerStart, readerSlot, slotTxn, begin, nodeStart, session } = problem;
    let grew = false;
    for (let i = readerStart[version]; i < readerStart[version + 1]; i++) {
      const slot = readerSlot[i];
      const r = slotTxn[slot];
      if (r === t) continue;
      const from = begin[r];
      if (rows[node * stride + session[r]] > from - nodeStart[session[r]]) continue;
      edges.add(from, node, EDGE.rw, slot);
      // its clock is of this round already, or will be joined in the next
      if (placeOf[from] < placeOf[node]) {
        this.join(node, from);
        grew = true;
      }
    }
    return grew;
  }
}

/** Each of four bytes is at least that of another word: a bit above each is lent, and lost where it is not. Two and two, so that there is room for it. */
function bytesReach(mine: number, other: number): boolean {
  const even = ((mine & 0x00ff00ff) | 0x01000100) - (other & 0x00ff00ff);
  const odd = (((mine >>> 8) & 0x00ff00ff) | 0x01000100) - ((other >>> 8) & 0x00ff00ff);
  return (even & odd & 0x01000100) === 0x01000100;
}

/** The same of two halves. */
function halvesReach(mine: number, other: number): boolean {
  return (mine & 0xffff) >= (other & 0xffff) && mine >>> 16 >= other >>> 16;
}
