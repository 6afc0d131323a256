/**
 * READ ATOMIC (AWDIT, Algorithm 2): a transaction that reads x from t1 must see no other writer t2 of x directly, by
 * session order (the session's last writer of x) or by a read of any other key, unless t2 -> t1. O(n^3/2), and O(n) for
 * one session, where reading from t2 is session order already. Two reads of one key from different transactions are
 * reported as non-repeatable; only the first of them takes part.
 */
import type { InferredEdges } from './edges.ts';
import { FEW, ReadSet } from './read-set.ts';
import { INITIAL, signatureBit, writesKey } from './state.ts';
import type { AwditState } from './state.ts';

export class ReadAtomic {
  /** Second reads of a key from another transaction than the first. */
  nonRepeatable = 0;
  readonly nonRepeatableReads: number[] = [];
  private readonly state: AwditState;
  private readonly set: ReadSet;
  private readonly lastWriter: Int32Array;
  private readonly op = new Int32Array(FEW);
  private readonly writer = new Int32Array(FEW);
  private readonly bit = new Int32Array(FEW);

  constructor(state: AwditState) {
    this.state = state;
    this.set = new ReadSet(state);
    this.lastWriter = new Int32Array(state.keyCount).fill(-1);
  }

  /** Adds what the transactions of a session demand; sessions in increasing order per instance. */
  saturate(session: number, edges: InferredEdges): void {
    const { state, lastWriter, op, writer, bit } = this;
    const { from, key, signature, history, live } = state;
    const { kind, opStart, opEnd } = history;
    const first = history.sessionStart[session];
    const end = history.sessionStart[session + 1];
    for (let t3 = first; t3 < end; t3++) {
      if (live[t3] === 0) continue;
      const start = opStart[t3];
      const stop = opEnd[t3];
      let reads = 0;
      let seen = 0;
      for (let o = start; o < stop; o++) {
        if (kind[o] === 1 || from[o] < INITIAL) continue;
        if (reads === FEW) {
          reads = -1;
          break;
        }
        const b = signatureBit(key[o]);
        if ((seen & b) !== 0) {
          let before = reads - 1;
          while (before >= 0 && key[op[before]] !== key[o]) before--;
          if (before >= 0) {
            if (writer[before] !== from[o]) this.repeatFailed(o);
            continue;
          }
        }
        seen |= b;
        op[reads] = o;
        writer[reads] = from[o];
        bit[reads++] = b;
      }
      if (reads < 0) this.many(t3, first, edges);
      else {
        for (let i = 0; i < reads; i++) {
          const t1 = writer[i];
          const t2 = lastWriter[key[op[i]]];
          if (t2 >= first && t2 !== t1) edges.add(t2, t1, op[i]);
        }
        for (let i = 0; i < reads; i++) {
          const t2 = writer[i];
          // an earlier transaction of this session is covered by lastWriter
          if (t2 < 0 || (t2 >= first && t2 < t3)) continue;
          const written = signature[t2];
          for (let j = 0; j < reads; j++) {
            if ((written & bit[j]) === 0 || writer[j] === t2) continue;
            if (writesKey(state, t2, key[op[j]])) edges.add(t2, writer[j], op[j]);
          }
        }
      }
      for (let o = start; o < stop; o++) if (kind[o] === 1) lastWriter[key[o]] = t3;
    }
  }

  private many(t3: number, first: number, edges: InferredEdges): void {
    const { state, set, lastWriter } = this;
    const { from, key, history } = state;
    const { kind, opStart, opEnd } = history;
    set.markFirstReads(t3);
    set.clear();
    for (let o = opStart[t3]; o < opEnd[t3]; o++) {
      if (kind[o] === 1 || from[o] < INITIAL) continue;
      const slot = set.slotOf(key[o]);
      if (set.earliestRead[slot] >= 0) {
        if (set.earliest[slot] !== from[o]) this.repeatFailed(o);
        continue;
      }
      set.earliest[slot] = from[o];
      set.earliestRead[slot] = o;
      const t2 = lastWriter[key[o]];
      if (t2 >= first && t2 !== from[o]) edges.add(t2, from[o], o);
    }
    for (let o = opStart[t3]; o < opEnd[t3]; o++) {
      const t2 = from[o];
      if (kind[o] === 1 || t2 < 0 || (t2 >= first && t2 < t3) || !set.isFirstRead(t2, o)) continue;
      set.intersect(t2, (slot) => {
        if (set.earliest[slot] !== t2) edges.add(t2, set.earliest[slot], set.earliestRead[slot]);
      });
    }
  }

  private repeatFailed(read: number): void {
    this.nonRepeatable++;
    if (this.nonRepeatableReads.length < 1000) this.nonRepeatableReads.push(read);
  }
}
