/**
 * Decides READ COMMITTED of Biswas and Enea (AWDIT, Algorithm 1). A transaction that has read from t2 and then reads x
 * from t1, while t2 also writes x, demands t2 -> t1. O(n^3/2): each pair (reader, t2) intersects the keys that t2
 * writes with the keys read later, by walking the smaller set. Readers of few reads compare pairwise, behind Bloom
 * signatures.
 */
import type { InferredEdges } from './edges.ts';
import { FEW, ReadSet } from './read-set.ts';
import { INITIAL, secondBit, signatureBit, writesKey } from './state.ts';
import type { AwditState } from './state.ts';

export class ReadCommitted {
  private readonly state: AwditState;
  private readonly set: ReadSet;
  private readonly op = new Int32Array(FEW);
  private readonly writer = new Int32Array(FEW);

  constructor(state: AwditState) {
    this.state = state;
    this.set = new ReadSet(state);
  }

  /** Adds the demands of the transactions first .. end. */
  saturate(first: number, end: number, edges: InferredEdges): void {
    const { state, op, writer } = this;
    const { from, key, signature, opStart, opEnd, live } = state;
    const { kind } = state.history;
    for (let t3 = first; t3 < end; t3++) {
      if (live[t3] === 0) continue;
      let reads = 0;
      for (let o = opStart[t3], stop = opEnd[t3]; o < stop; o++) {
        const t1 = from[o];
        if (t1 < INITIAL || kind[o] === 1) continue;
        if (reads === FEW) {
          reads++;
          break;
        }
        op[reads] = o;
        writer[reads++] = t1;
      }
      if (reads > FEW) {
        this.saturateMany(t3, edges);
        continue;
      }
      for (let i = 0; i + 1 < reads; i++) {
        const t2 = writer[i];
        if (t2 < 0) continue;
        const written = signature[2 * t2];
        for (let j = i + 1; j < reads; j++) {
          const x = key[op[j]];
          if ((written & signatureBit(x)) === 0 || writer[j] === t2 || (signature[2 * t2 + 1] & secondBit(x)) === 0) continue;
          if (writesKey(state, t2, x)) edges.add(t2, writer[j], op[j]);
        }
      }
    }
  }

  /**
   * Algorithm 1 as printed, including the test of line 19. It keeps a reader's two earliest distinct writers per key,
   * starting from the end.
   */
  private saturateMany(t3: number, edges: InferredEdges): void {
    const { state, set } = this;
    const { from, key, opStart, opEnd } = state;
    const { kind } = state.history;
    set.markFirstReads(t3);
    set.clear();
    for (let o = opEnd[t3] - 1; o >= opStart[t3]; o--) {
      if (kind[o] === 1 || from[o] < INITIAL) continue;
      const t2 = from[o];
      if (t2 >= 0 && set.isFirstRead(t2, o)) {
        const found = set.intersect(t2);
        for (let m = 0; m < found; m++) {
          const slot = set.matches[m];
          const read = set.earliest[slot] !== t2 ? set.earliestRead[slot] : set.secondRead[slot];
          if (read >= 0) edges.add(t2, from[read], read);
        }
      }
      const slot = set.slotOf(key[o]);
      if (set.earliest[slot] !== t2) {
        set.second[slot] = set.earliest[slot];
        set.secondRead[slot] = set.earliestRead[slot];
        set.earliest[slot] = t2;
        set.earliestRead[slot] = o;
      }
    }
  }
}
