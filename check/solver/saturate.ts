/**
 * Derives edges without a decision, by vector clocks and without lists of pairs. The clock of a node says how far into
 * each session its past reaches. r reads w's version of a key that w' writes too:
 *
 *   w' in the past of r               w' before w       (`before`)
 *   w in the past of w'               r before w'       (`rw`)
 *   of snapshots: w begun before w' commits, then w committed before w' begins    (`ww`)
 *
 * A round follows a topological order once and lists the versions of each key as it meets them. A scan goes back along
 * the list. It ends at a writer in the past whose own past has all that is left (`floor`): their edges were drawn when
 * that writer was scanned, and the rest is transitive. Most scans end at the first version. A new edge enters the
 * clocks in the next round, whose lists are of an order that keeps it, unless this round's order keeps it too. An edge
 * that the clocks imply already is not drawn.
 *
 * After the first round a node is scanned only if its clock has grown, and only at versions of the sessions for which
 * it has (`fresh`). The other edges were drawn before. A round takes O(operations) and the distance between each scan's
 * start and its floor. That is at most a few versions for each session that writes the key: a longer scan asks for the
 * last writer of each session (`readerFar`).
 */
import { VectorClocks } from '../../graph/index.ts';
import { EDGE } from './edges.ts';
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';

export class Saturation {
  private readonly clocks: VectorClocks;
  private readonly problem: Problem;
  private readonly edges: Edges;
  /**
   * The growth of each clock during the scan of its own versions, so that these are scanned again in the next round.
   */
  private readonly again: Int32Array;
  /** The begin of each reader of a version (`readerStart`). */
  private readonly readerBegin: Int32Array;
  // The versions of key k in the order of this round: lists keyStart[k] .. keyStart[k] + length[k], so that a scan
  // finds them together.
  private readonly length: Int32Array;
  private readonly list: Int32Array;
  /** The session of the writer; its begin and commit, counted from the start of the session; the place of the floor. */
  private readonly ofSession: Int32Array;
  private readonly writerBegin: Int32Array;
  private readonly writerCommit: Int32Array;
  private readonly floor: Int32Array;
  /** The place of each version in its list. */
  private readonly listedAt: Int32Array;

  constructor(problem: Problem, edges: Edges) {
    this.problem = problem;
    this.edges = edges;
    this.clocks = new VectorClocks(problem, edges);
    const { nodeCount, chainNodes, size, keyCount, versions, readerSlot, slotTxn, begin } = problem;
    this.again = new Int32Array(nodeCount);
    this.readerBegin = readerSlot.map((slot) => begin[slotTxn[slot]]);
    this.length = new Int32Array(keyCount);
    this.list = new Int32Array(versions);
    this.ofSession = new Int32Array(versions);
    this.writerBegin = new Int32Array(versions);
    // A transaction of one node has the same place for both.
    this.writerCommit = chainNodes === size ? this.writerBegin : new Int32Array(versions);
    this.floor = new Int32Array(versions);
    this.listedAt = new Int32Array(versions);
  }

  /**
   * Runs one round along a topological order of all edges. Returns whether there is more to do: edges that it has
   * added, or nodes to scan again.
   */
  round(order: Int32Array): number {
    const { problem, clocks, again, edges } = this;
    const { nodeTxn, begin, commit, writeStart } = problem;
    const { count: before } = edges;
    let more = 0;
    clocks.begin(order);
    this.length.fill(0);
    for (let i = 0; i < order.length; i++) {
      const node = order[i];
      clocks.update(node);
      const fresh = clocks.grown | again[node];
      again[node] = 0;
      const t = nodeTxn[node];
      if (t < 0) continue;
      clocks.grown = 0;
      if (node === begin[t]) {
        if (fresh !== 0) this.readersOf(t, node, fresh);
        if (node !== commit[t]) for (let v = writeStart[t]; v < writeStart[t + 1]; v++) this.listVersion(v);
      }
      if (node !== commit[t]) continue;
      this.writersOf(t, node, fresh);
      if (clocks.grown !== 0) more = 1;
      again[node] = clocks.grown;
    }
    return edges.count - before + more;
  }

  /** Tells whether `u` is in the past of `v`. It applies to nodes of sessions only. */
  knows(v: number, u: number): boolean {
    return this.clocks.knows(v, u);
  }

  /**
   * Writers in the past of a reader, other than the one it read, come before that one. A kernel: loops over reads and
   * lists.
   */
  private readersOf(t: number, node: number, fresh: number): void {
    const { problem, length, list, ofSession, writerCommit, floor, listedAt } = this;
    const { rows, stride, grownShift } = this.clocks;
    const { readStart, readVersion, versions, writeKey, versionTxn, keyStart, begin } = problem;
    const row = node * stride;
    for (let i = readStart[t]; i < readStart[t + 1]; i++) {
      const version = readVersion[i];
      if (version < 0 || version >= versions) continue; // writersOf handles the readers of an initial version
      const key = writeKey[version];
      const to = begin[versionTxn[version]];
      const known = to * stride;
      const own = listedAt[version];
      let least = floor[own];
      const top = keyStart[key] + length[key] - 1;
      const stop = top - this.most(key);
      for (let at = top; at >= least; at--) {
        if (at <= stop) {
          this.readerFar(i, node, to, at, fresh);
          break;
        }
        const s = ofSession[at];
        if (at === own || writerCommit[at] >= rows[row + s]) continue;
        if (floor[at] > least) least = floor[at];
        if (((fresh >>> (s >> grownShift)) & 1) === 1 && rows[known + s] <= writerCommit[at]) this.drawBefore(list[at], to, i);
      }
    }
  }

  /** Readers of versions whose writers are in the past of a writer come before it. Its own clock may grow. A kernel. */
  private writersOf(t: number, node: number, fresh: number): void {
    const { problem, length, ofSession, writerBegin, floor, listedAt } = this;
    const { rows, stride, grownShift } = this.clocks;
    const { writeStart, writeKey, keyStart, begin, commit, versions } = problem;
    const row = node * stride;
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
          any = true; // otherwise the groups imply it
          if (fresh !== 0) this.writerFar(v, t, node, at, fresh);
          break;
        }
        if (at === own) continue;
        const s = ofSession[at];
        if (writerBegin[at] >= rows[row + s]) {
          if (at < missing) missing = at;
          continue;
        }
        any = true;
        if (floor[at] > least) least = floor[at];
        if (((fresh >>> (s >> grownShift)) & 1) === 1) this.follows(at, t, node);
      }
      floor[own] = missing;
      // The initial version is before all. A transaction that comes after a writer comes after that writer's own past.
      if (fresh !== 0 && !any) this.readersFirst(versions + key, t, node);
    }
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

  /** Returns how many versions a scan passes before it asks session by session. */
  private most(key: number): number {
    return 2 * (this.problem.keyGroup[key + 1] - this.problem.keyGroup[key]) + 8;
  }

  /** Handles the versions that a scan for a read has not reached, by the last writer in the past of each session. */
  private readerFar(slot: number, node: number, to: number, from: number, fresh: number): void {
    const { problem, listedAt, writerCommit } = this;
    const { rows, stride, grownShift } = this.clocks;
    const { readVersion, writeKey, keyGroup, groupSession } = problem;
    const key = writeKey[readVersion[slot]];
    for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
      const s = groupSession[g];
      if (((fresh >>> (s >> grownShift)) & 1) === 0) continue;
      const v = this.lastInPast(g, rows[node * stride + s], problem.commit);
      if (v < 0 || v === readVersion[slot] || listedAt[v] > from) continue;
      if (rows[to * stride + s] <= writerCommit[listedAt[v]]) this.drawBefore(v, to, slot);
    }
  }

  /** Does the same for a writer. */
  private writerFar(version: number, t: number, node: number, from: number, fresh: number): void {
    const { problem, listedAt } = this;
    const { rows, stride, grownShift } = this.clocks;
    const { writeKey, keyGroup, groupSession, versions, begin, session, nodeStart } = problem;
    const key = writeKey[version];
    let initial = true;
    for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
      const s = groupSession[g];
      const v = this.lastInPast(g, s === session[t] ? begin[t] - nodeStart[s] : rows[node * stride + s], begin);
      if (v < 0) continue;
      initial = false;
      if (((fresh >>> (s >> grownShift)) & 1) === 1 && listedAt[v] <= from) this.follows(listedAt[v], t, node);
    }
    if (initial) this.readersFirst(versions + key, t, node);
  }

  /**
   * Returns the last version of a group whose writer's begin or commit is among the first `past` nodes of its session,
   * or -1.
   */
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

  /** Draws the writer of a version before another writer, because of a read. Other readers often have just done so. */
  private drawBefore(version: number, to: number, slot: number): void {
    const { edges, problem } = this;
    const { before } = this.clocks;
    const from = problem.commit[problem.versionTxn[version]];
    let few = 32;
    for (let e = edges.inHead[to]; e >= before && few > 0; e = edges.inNext[e], few--) if (edges.from[e] === from) return;
    edges.add(from, to, EDGE.before, slot);
  }

  /**
   * Handles a version whose writer had begun before t committed. It had then committed before t began, and its readers
   * come first.
   */
  private follows(at: number, t: number, node: number): void {
    const { problem, edges, ofSession, writerCommit, list } = this;
    const { rows, stride } = this.clocks;
    const { begin, nodeStart } = problem;
    const s = ofSession[at];
    if (rows[begin[t] * stride + s] <= writerCommit[at]) edges.add(writerCommit[at] + nodeStart[s], begin[t], EDGE.ww, list[at]);
    this.readersFirst(list[at], t, node);
  }

  private readersFirst(version: number, t: number, node: number): void {
    const { problem, clocks, edges, readerBegin } = this;
    const { readerStart, readerSlot, begin, nodeStart, nodeSession } = problem;
    const { rows, stride, placeOf } = clocks;
    for (let i = readerStart[version]; i < readerStart[version + 1]; i++) {
      const from = readerBegin[i];
      const s = nodeSession[from];
      if (from === begin[t] || rows[node * stride + s] > from - nodeStart[s]) continue;
      edges.add(from, node, EDGE.rw, readerSlot[i]);
      // Its clock is of this round already, or will be joined in the next.
      if (placeOf[from] < placeOf[node]) clocks.join(node, from);
    }
  }
}
