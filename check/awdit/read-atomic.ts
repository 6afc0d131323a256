/**
 * Decides READ ATOMIC (AWDIT, Algorithm 2). A transaction that reads x from t1 must not see another writer t2 of x
 * directly, unless t2 -> t1. It sees t2 by session order (the session's last writer of x) or by a read of any other
 * key. O(n^3/2), and O(n) for one session, where reading from t2 is session order already. Two reads of one key from
 * different transactions are reported as non-repeatable, and only the first of them takes part. The two halves are
 * independent of each other. So are the sessions of one half and the readers of the other.
 */
import type { InferredEdges } from './edges.ts';
import { FEW, ReadSet } from './read-set.ts';
import { INITIAL, secondBit, signatureBit, writesKey } from './state.ts';
import type { AwditState } from './state.ts';

/** The first half: the demands of session order. t2 is the last writer of the key in the reader's own session. */
export class SessionWriters {
  private readonly state: AwditState;
  /** The session's last writer of each key so far, plus 1. All entries are 0 between two sessions. */
  private readonly last: Int32Array;

  constructor(state: AwditState) {
    this.state = state;
    this.last = new Int32Array(state.keyCount);
  }

  /** Adds the demands of sessions first .. end. */
  saturate(first: number, end: number, edges: InferredEdges): void {
    const { rank, live, opStart, opEnd, history } = this.state;
    const { sessionStart } = history;
    for (let s = first; s < end; s++) {
      let operations = 0;
      for (let t = sessionStart[s], stop = sessionStart[s + 1]; t < stop; t++) {
        const v = rank[t];
        if (live[v] === 0) continue;
        operations += opEnd[v] - opStart[v];
        this.step(v, edges);
      }
      // A short session wrote few of many keys.
      if (operations > this.last.length >> 3) this.last.fill(0);
      else for (let t = sessionStart[s]; t < sessionStart[s + 1]; t++) this.forget(rank[t]);
    }
  }

  private step(v: number, edges: InferredEdges): void {
    const { from, key, opStart, opEnd, history } = this.state;
    const { kind } = history;
    const { last } = this;
    const start = opStart[v];
    const stop = opEnd[v];
    let writes = 0;
    for (let op = start; op < stop; op++) {
      if (kind[op] === 1) {
        writes++;
        continue;
      }
      const t1 = from[op];
      if (t1 < INITIAL) continue;
      const t2 = last[key[op]];
      if (t2 !== 0 && t2 - 1 !== t1) edges.add(t2 - 1, t1, op);
    }
    if (writes > 0) for (let op = start; op < stop; op++) if (kind[op] === 1) last[key[op]] = v + 1;
  }

  private forget(v: number): void {
    const { key, opStart, opEnd } = this.state;
    for (let op = opStart[v], stop = opEnd[v]; op < stop; op++) this.last[key[op]] = 0;
  }
}

/** The second half: the reader itself reads from t2. */
export class ReadAtomic {
  /** The number of second reads of a key from another transaction than the first. */
  nonRepeatable = 0;
  readonly nonRepeatableReads: number[] = [];
  private readonly state: AwditState;
  private readonly set: ReadSet;
  private readonly op = new Int32Array(FEW);
  private readonly writer = new Int32Array(FEW);

  constructor(state: AwditState) {
    this.state = state;
    this.set = new ReadSet(state);
  }

  /** Adds the demands of the reads of transactions first .. end. */
  saturate(first: number, end: number, edges: InferredEdges): void {
    const { state, op, writer } = this;
    const { from, key, signature, opStart, opEnd, live, session } = state;
    const { kind } = state.history;
    for (let t3 = first; t3 < end; t3++) {
      if (live[t3] === 0) continue;
      let reads = 0;
      let seen = 0;
      for (let o = opStart[t3], stop = opEnd[t3]; o < stop; o++) {
        const t1 = from[o];
        if (t1 < INITIAL || kind[o] === 1) continue;
        if (reads === FEW) {
          reads++;
          break;
        }
        const bit = signatureBit(key[o]);
        if ((seen & bit) !== 0) {
          let before = reads - 1;
          while (before >= 0 && key[op[before]] !== key[o]) before--;
          if (before >= 0 && writer[before] !== t1) this.repeatFailed(o);
          if (before >= 0) continue;
        }
        seen |= bit;
        op[reads] = o;
        writer[reads++] = t1;
      }
      if (reads > FEW) {
        this.many(t3, edges);
        continue;
      }
      for (let i = 0; i < reads; i++) {
        const t2 = writer[i];
        // The first half handles an earlier transaction of the same session.
        if (t2 < 0 || (session[t2] === session[t3] && t2 < t3)) continue;
        const written = signature[2 * t2];
        for (let j = 0; j < reads; j++) {
          const x = key[op[j]];
          if ((written & signatureBit(x)) === 0 || writer[j] === t2 || (signature[2 * t2 + 1] & secondBit(x)) === 0) continue;
          if (writesKey(state, t2, x)) edges.add(t2, writer[j], op[j]);
        }
      }
    }
  }

  private many(t3: number, edges: InferredEdges): void {
    const { state, set } = this;
    const { from, key, opStart, opEnd, session } = state;
    const { kind } = state.history;
    set.markFirstReads(t3);
    set.clear();
    for (let o = opStart[t3]; o < opEnd[t3]; o++) {
      if (kind[o] === 1 || from[o] < INITIAL) continue;
      const slot = set.slotOf(key[o]);
      if (set.earliestRead[slot] < 0) {
        set.earliest[slot] = from[o];
        set.earliestRead[slot] = o;
      } else if (set.earliest[slot] !== from[o]) this.repeatFailed(o);
    }
    for (let o = opStart[t3]; o < opEnd[t3]; o++) {
      const t2 = from[o];
      if (kind[o] === 1 || t2 < 0 || (session[t2] === session[t3] && t2 < t3) || !set.isFirstRead(t2, o)) continue;
      const found = set.intersect(t2);
      for (let m = 0; m < found; m++) {
        const slot = set.matches[m];
        if (set.earliest[slot] !== t2) edges.add(t2, set.earliest[slot], set.earliestRead[slot]);
      }
    }
  }

  private repeatFailed(read: number): void {
    this.nonRepeatable++;
    if (this.nonRepeatableReads.length < 1000) this.nonRepeatableReads.push(read);
  }
}
