/**
 * Decides CAUSAL CONSISTENCY without clocks, where the numbering is a commit order. A demand t2 -> t1 arises if t3
 * reads x from t1, and t2 writes x and happened before t3. It contradicts the numbering only if t1 < t2 < t3. A read of
 * the newest write has no such t2, and most reads are of that kind in a file in the order of execution. For the others
 * the past of t3 is searched back to the first number that t2 can have: every node on a path from t2 to t3 lies between
 * them. Sessions do not matter.
 */
import { INITIAL, writesKey } from './state.ts';
import type { AwditState } from './state.ts';

/**
 * The operations that searches may look at, per operation so far. Past that number clocks are cheaper, and their cost
 * grows with the number of sessions. A sixteenth of the history is allowed from the start. A history of many long
 * searches is so given up soon, and one long search does not end the attempt.
 */
const effort = (sessions: number): number => 1 + sessions / 128;
const ADVANCE = 1 / 16;

/**
 * Returns true if no read of a key with x % size === rank demands an edge against the numbering. False means that one
 * does, or that the search takes too long. O(n), with a factor that grows by one per 128 sessions.
 */
export function keepsCausalOrder(state: AwditState, rank: number, size: number): boolean {
  const { key, from, live, session, opStart, opEnd, txnCount } = state;
  const { kind, sessionCount } = state.history;
  // One entry per key: its newest write so far and the one before, -1 if there is none.
  const newest = new Int32Array(2 * state.keyCount).fill(-1);
  const last = new Int32Array(sessionCount).fill(-1);
  const past = new Past(state);
  const perOperation = effort(sessionCount);
  for (let v = 0; v < txnCount; v++) {
    if (live[v] === 0) continue;
    past.before[v] = last[session[v]];
    last[session[v]] = v;
    const start = opStart[v];
    const stop = opEnd[v];
    past.steps += (stop - start) * perOperation;
    for (let op = start; op < stop; op++) {
      const t1 = from[op];
      const x = key[op];
      if (kind[op] === 1 || t1 < INITIAL || newest[2 * x] === t1 || (size > 1 && x % size !== rank)) continue;
      const first = newest[2 * x + 1] === t1 ? newest[2 * x] : t1 + 1;
      if (past.mayWrite(v, x, first)) return false;
    }
    for (let op = start; op < stop; op++) {
      if (kind[op] !== 1 || from[op] !== 1) continue;
      const x = key[op];
      newest[2 * x + 1] = newest[2 * x];
      newest[2 * x] = v;
    }
  }
  return true;
}

/** Searches the transactions that happened before another one, step by step, until the allowed steps are used up. */
class Past {
  /** The transaction before each v in its session, or -1. */
  readonly before: Int32Array;
  /** The number of operations that may still be looked at. */
  steps: number;
  private readonly state: AwditState;
  private readonly seen: Int32Array;
  private readonly open: number[] = [];
  private first = 0;
  private search = 0;

  constructor(state: AwditState) {
    this.state = state;
    this.before = new Int32Array(state.txnCount);
    this.seen = new Int32Array(state.txnCount);
    this.steps = state.history.opCount * ADVANCE;
  }

  /**
   * Tells whether a transaction that is numbered `first` or above and writes x happened before t3. The answer is also
   * true if the steps do not suffice.
   */
  mayWrite(t3: number, x: number, first: number): boolean {
    const { open, state } = this;
    this.first = first;
    this.search++;
    open.length = 0;
    this.reach(t3);
    for (let t = open.pop(); t !== undefined; t = open.pop()) {
      if (this.steps < 0 || writesKey(state, t, x)) return true;
      this.reach(t);
    }
    return false;
  }

  private reach(t: number): void {
    const { from, opStart, opEnd, history } = this.state;
    this.steps -= opEnd[t] - opStart[t];
    this.visit(this.before[t]);
    for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) if (history.kind[op] !== 1) this.visit(from[op]);
  }

  private visit(t: number): void {
    if (t < this.first || t < 0 || this.seen[t] === this.search) return;
    this.seen[t] = this.search;
    this.open.push(t);
  }
}
