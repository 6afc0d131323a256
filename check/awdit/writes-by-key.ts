/** Every key's live last writers by session and session order, for binary search. It is built on demand in O(n). */
import type { AwditState } from './state.ts';

export class WritesByKey {
  private readonly starts: Uint32Array;
  private readonly writers: Uint32Array;
  private readonly session: Uint32Array;

  /** `starts` holds the number of these writes by key. */
  constructor(state: AwditState, starts: Uint32Array) {
    const { history, key, from, live, rank, opStart, opEnd } = state;
    const { kind, txnCount } = history;
    this.session = state.session;
    this.starts = starts;
    this.writers = new Uint32Array(starts[state.keyCount]);
    const next = starts.slice();
    // The loop uses the history's own order, session by session.
    for (let t = 0; t < txnCount; t++) {
      const v = rank[t];
      if (live[v] === 0) continue;
      for (let op = opStart[v]; op < opEnd[v]; op++) if (kind[op] === 1 && from[op] === 1) this.writers[next[key[op]]++] = v;
    }
  }

  /** Returns the session's last writer of x that is numbered below the limit, or -1. */
  last(x: number, session: number, limit: number): number {
    const { starts, writers } = this;
    let low = starts[x];
    let high = starts[x + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const s = this.session[writers[middle]];
      if (s < session || (s === session && writers[middle] < limit)) low = middle + 1;
      else high = middle;
    }
    return low > starts[x] && this.session[writers[low - 1]] === session ? writers[low - 1] : -1;
  }
}
