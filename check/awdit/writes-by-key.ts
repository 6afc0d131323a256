import type { AwditState } from './state.ts';

/** Every key's live writers by session and session order, for binary search. */
export class WritesByKey {
  private readonly starts: Uint32Array;
  private readonly writers: Uint32Array;
  private readonly session: Uint32Array;

  constructor(state: AwditState) {
    const { history, key, from, live, rank, opStart, opEnd } = state;
    const { kind, txnCount } = history;
    this.session = state.session;
    this.starts = new Uint32Array(state.keyCount + 1);
    const each = (visit: (v: number, key: number) => void): void => {
      for (let t = 0; t < txnCount; t++) {
        const v = rank[t];
        if (live[v] === 0) continue;
        for (let op = opStart[v]; op < opEnd[v]; op++) if (kind[op] === 1 && from[op] === 1) visit(v, key[op]);
      }
    };
    each((_, x) => this.starts[x + 1]++);
    for (let x = 0; x < state.keyCount; x++) this.starts[x + 1] += this.starts[x];
    const next = this.starts.slice();
    this.writers = new Uint32Array(this.starts[state.keyCount]);
    each((v, x) => {
      this.writers[next[x]++] = v;
    });
  }

  /** Per session its last writer of x within row `base`, unless row `known` (none: -1) has it. */
  demand(x: number, rows: Int32Array, base: number, known: number, add: (t2: number) => void): void {
    const { starts, writers, session } = this;
    const end = starts[x + 1];
    for (let at = starts[x]; at < end; ) {
      const s = session[writers[at]];
      let next = end;
      for (let low = at + 1; low < next; ) {
        const middle = (low + next) >> 1;
        if (session[writers[middle]] > s) next = middle;
        else low = middle + 1;
      }
      // the last writer of this session within the row, which holds numbers plus 1
      let low = at;
      let high = next;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (writers[middle] < rows[base + s]) low = middle + 1;
        else high = middle;
      }
      if (low > at && (known < 0 || rows[known + s] <= writers[low - 1])) add(writers[low - 1]);
      at = next;
    }
  }
}
