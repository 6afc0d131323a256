/**
 * What follows without a decision, by vector clocks and without lists of pairs. The clock of a node says how far into each
 * session its past reaches. r reads w's version of a key that w' writes too:
 *
 *   w' in the past of r               w' before w       (`before`)
 *   w in the past of w'               r before w'       (`rw`)
 *   of snapshots: w begun before w' commits, then w committed before w' begins    (`ww`)
 *
 * For a key and a session only the last writer in the past can matter, and only the last reader of each session: session
 * order says the rest. An edge that the clocks imply already is not drawn. A round goes once along a topological order;
 * after the first only nodes whose clock has changed are looked at. O(operations x sessions that write the key) a round,
 * nodes x sessions integers of memory.
 */
import { EDGE } from './edges.ts';
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';

export type ClockRows = Uint16Array | Int32Array;

/** Bytes of the clocks of all nodes. */
export function clockBytes({ nodeCount, sessions, nodeStart }: Problem): number {
  return nodeCount * sessions * bytesEach(nodeStart);
}

function bytesEach(nodeStart: Int32Array): number {
  let longest = 0;
  for (let s = 0; s + 1 < nodeStart.length; s++) longest = Math.max(longest, nodeStart[s + 1] - nodeStart[s]);
  return longest < 65_535 ? 2 : 4;
}

export class Saturation {
  /** Clock of a node: rows[node * sessions + s] nodes of session s are in its past. */
  readonly rows: ClockRows;
  /** How many edges were there when the last round began. */
  private seen = 0;
  private rounds = 0;
  private readonly problem: Problem;
  private readonly edges: Edges;
  private readonly changed: Uint8Array;
  /** 1: its clock grew while its own versions were looked at, so they are looked at again in the next round. */
  private readonly again: Uint8Array;
  /** Per node its place in the order of this round; later ones have old clocks. */
  private readonly placeOf: Int32Array;
  // what a look at a version of a key needs, in the order of the keys' versions, so that it lies together
  /** Begin and commit of its writer, counted from the start of the session. */
  private readonly writerBegin: Int32Array;
  private readonly writerCommit: Int32Array;
  /** Begin of its only reader, -1: none, -2: several. */
  private readonly onlyReader: Int32Array;

  constructor(problem: Problem, edges: Edges) {
    this.problem = problem;
    this.edges = edges;
    const { nodeCount, sessions, nodeStart } = problem;
    this.rows = bytesEach(nodeStart) === 2 ? new Uint16Array(nodeCount * sessions) : new Int32Array(nodeCount * sessions);
    this.changed = new Uint8Array(nodeCount);
    this.again = new Uint8Array(nodeCount);
    this.placeOf = new Int32Array(nodeCount);
    const { keyVersion, versionTxn, begin, commit, session, readerStart, readerSlot, slotTxn } = problem;
    this.writerBegin = keyVersion.map((v) => begin[versionTxn[v]] - nodeStart[session[versionTxn[v]]]);
    this.writerCommit = keyVersion.map((v) => commit[versionTxn[v]] - nodeStart[session[versionTxn[v]]]);
    this.onlyReader = keyVersion.map((v) =>
      readerStart[v + 1] - readerStart[v] === 1
        ? begin[slotTxn[readerSlot[readerStart[v]]]]
        : readerStart[v] === readerStart[v + 1]
          ? -1
          : -2,
    );
  }

  /** One round along a topological order of all edges; returns whether there is more to come: edges that it has added, or nodes to look at again. */
  round(order: Int32Array): number {
    const { problem, placeOf, changed, again, edges } = this;
    const { nodeTxn, begin, commit } = problem;
    const before = edges.count;
    const first = this.rounds++ === 0;
    changed.fill(0);
    for (let i = 0; i < order.length; i++) placeOf[order[i]] = i;
    for (let i = 0; i < order.length; i++) {
      const node = order[i];
      const grew = first ? this.joinAll(node) : this.joinChanged(node);
      if (!grew && !first && again[node] === 0) continue;
      changed[node] = 1;
      again[node] = 0;
      const t = nodeTxn[node];
      if (t < 0) continue;
      if (node === begin[t]) this.readersOf(t, node);
      if (node === commit[t] && this.writersOf(t, node)) again[node] = 1;
    }
    this.seen = before;
    return edges.count - before + (again.includes(1) ? 1 : 0);
  }

  /** Is `u` in the past of `v`? Only of nodes of sessions. */
  knows(v: number, u: number): boolean {
    const { nodeSession, nodeStart, sessions } = this.problem;
    const s = nodeSession[u];
    return this.rows[v * sessions + s] > u - nodeStart[s];
  }

  private joinAll(node: number): boolean {
    const { problem, edges, rows } = this;
    const { nodeSession, nodeStart, sessions, chainNodes } = problem;
    const own = nodeSession[node];
    if (node < chainNodes && node > nodeStart[own]) rows.copyWithin(node * sessions, (node - 1) * sessions, node * sessions);
    if (own >= 0) rows[node * sessions + own] = node - nodeStart[own];
    for (let e = edges.inHead[node]; e >= 0; e = edges.inNext[e]) {
      const from = edges.from[e];
      const s = nodeSession[from];
      // who knows it knows its past
      if (s < 0 || rows[node * sessions + s] <= from - nodeStart[s]) this.join(node, from);
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
      if (e >= seen) {
        this.join(node, edges.from[e]);
        grew = true; // what `draw` noted of it may be all that is new
      } else if (changed[edges.from[e]] === 1 && this.join(node, edges.from[e])) grew = true;
    }
    return grew;
  }

  /** A new edge, of which the clock of its end knows at once; what came before its start is joined in the next round. */
  private draw(from: number, to: number, kind: number, why: number): void {
    const { nodeSession, nodeStart, sessions } = this.problem;
    const s = nodeSession[from];
    this.edges.add(from, to, kind, why);
    this.rows[to * sessions + s] = from - nodeStart[s] + 1;
  }

  private join(node: number, from: number): boolean {
    const { rows, problem } = this;
    const { sessions, nodeSession, nodeStart } = problem;
    const to = node * sessions;
    const at = from * sessions;
    let grew = false;
    for (let s = 0; s < sessions; s++) {
      const other = rows[at + s];
      if (other > rows[to + s]) {
        rows[to + s] = other;
        grew = true;
      }
    }
    const s = nodeSession[from];
    if (s >= 0 && rows[to + s] <= from - nodeStart[s]) {
      rows[to + s] = from - nodeStart[s] + 1;
      grew = true;
    }
    return grew;
  }

  /** Writers in the past of a reader, other than the one it read, come before that one. A kernel: loops over reads and sessions. */
  private readersOf(t: number, node: number): void {
    const { problem, rows, writerCommit } = this;
    const {
      readStart,
      readVersion,
      versions,
      writeKey,
      versionTxn,
      keyGroup,
      groupStart,
      groupSession,
      keyVersion,
      begin,
      commit,
      sessions,
    } = problem;
    const row = node * sessions;
    for (let i = readStart[t]; i < readStart[t + 1]; i++) {
      const version = readVersion[i];
      if (version < 0 || version >= versions) continue; // readers of an initial version are the writers' business
      const key = writeKey[version];
      const writer = versionTxn[version];
      const known = begin[writer] * sessions;
      for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
        const s = groupSession[g];
        const past = rows[row + s];
        if (writerCommit[groupStart[g]] >= past) continue;
        // the last writer of this session in the past
        let low = groupStart[g];
        let high = groupStart[g + 1] - 1;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (writerCommit[middle] < past) low = middle;
          else high = middle - 1;
        }
        if (rows[known + s] > writerCommit[low]) continue;
        const other = versionTxn[keyVersion[low]];
        if (other !== writer && other !== t) this.draw(commit[other], begin[writer], EDGE.before, i);
      }
    }
  }

  /** Readers of versions whose writers are in the past of a writer come before it; true when its own clock has grown. A kernel. */
  private writersOf(t: number, node: number): boolean {
    const { problem, rows, writerBegin, writerCommit, onlyReader } = this;
    const {
      writeStart,
      writeKey,
      keyGroup,
      groupStart,
      groupSession,
      keyVersion,
      begin,
      sessions,
      nodeSession,
      nodeStart,
      session,
      versions,
    } = problem;
    const row = node * sessions;
    const beginRow = begin[t] * sessions;
    let grew = false;
    for (let v = writeStart[t]; v < writeStart[t + 1]; v++) {
      const key = writeKey[v];
      let initial = true;
      for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
        const s = groupSession[g];
        const past = s === session[t] ? begin[t] - nodeStart[s] : rows[row + s];
        if (writerBegin[groupStart[g]] >= past) continue;
        let low = groupStart[g];
        let high = groupStart[g + 1] - 1;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if (writerBegin[middle] < past) low = middle;
          else high = middle - 1;
        }
        if (s === session[t]) initial = false;
        if (rows[beginRow + s] <= writerCommit[low]) this.draw(writerCommit[low] + nodeStart[s], begin[t], EDGE.ww, keyVersion[low]);
        const reader = onlyReader[low];
        if (reader === -1 || (reader >= 0 && rows[row + nodeSession[reader]] > reader - nodeStart[nodeSession[reader]])) continue;
        if (this.readersFirst(keyVersion[low], t, node)) grew = true;
      }
      // the initial version is before all; a session's later writers come after its first
      if (initial && this.readersFirst(versions + key, t, node)) grew = true;
    }
    return grew;
  }

  private readersFirst(version: number, t: number, node: number): boolean {
    const { problem, rows, placeOf } = this;
    const { readerStart, readerSlot, slotTxn, begin, sessions, nodeStart, session } = problem;
    let grew = false;
    for (let i = readerStart[version]; i < readerStart[version + 1]; i++) {
      const slot = readerSlot[i];
      const r = slotTxn[slot];
      if (r === t) continue;
      const from = begin[r];
      if (rows[node * sessions + session[r]] > from - nodeStart[session[r]]) continue;
      this.draw(from, node, EDGE.rw, slot);
      // its clock is of this round already, or will be joined in the next
      if (placeOf[from] < placeOf[node]) {
        this.join(node, from);
        grew = true;
      }
    }
    return grew;
  }
}
