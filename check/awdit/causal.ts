/**
 * CAUSAL CONSISTENCY (AWDIT, Algorithm 3): t3 reads x from t1 and t2, which also writes x, happened before t3: then
 * t2 -> t1. One pass in a topological order of so and wr. Against the paper's bookkeeping of one pointer per key and
 * pair of sessions, what makes it fast and small:
 * - clock rows count transactions by their place in that order, live in a pool and are freed with their last reader;
 * - a join is skipped when the session knows the writer already;
 * - t2 that happened before t1 demands nothing new, and everything up to the least entry of t1's row did: so a key's
 *   writes are walked from the newest back to there, mostly one or two of them;
 * - sessions that are idle, or whose newest writes nobody has read, would keep that least entry low for ever: after eight
 *   steps it is taken again over the sessions of which t3 knows more than t1, O(k);
 * - a walk much longer than the number of sessions changes to one binary search per session: O(k log n) for that read.
 */
import { int32 } from '../../core/index.ts';
import type { InferredEdges } from './edges.ts';
import { INITIAL } from './state.ts';
import type { AwditState } from './state.ts';

/** Called now and then with the number of transactions done. */
export type Progress = (done: number) => void;

export interface CausalOptions {
  /** Bytes that the clock rows may take; past it the run gives up. */
  readonly maxBytes?: number;
  readonly progress?: Progress;
}

/** Adds what every transaction demands; returns 'memory' and gives up when the clock rows outgrow the limit. */
export function saturateCausal(state: AwditState, order: Uint32Array, edges: InferredEdges, options: CausalOptions = {}): 'done' | 'memory' {
  const { history, key, from } = state;
  const { sessionCount, sessionStart, txnCount, opStart, opEnd, kind } = history;
  const sessionOf = new Uint32Array(txnCount);
  for (let s = 0; s < sessionCount; s++) sessionOf.fill(s, sessionStart[s], sessionStart[s + 1]);
  const place = new Int32Array(txnCount); // 1, 2, ... in processing order
  const readers = countReaders(state, order);
  const pool = new RowPool(sessionCount);
  const rowOf = new Int32Array(txnCount);
  const minOf = new Int32Array(txnCount); // least entry of the row, for transactions that somebody reads
  // the row of a session's newest transaction, own entry included; 0: none yet
  const current = new Int32Array(sessionCount);
  const newest = new Int32Array(sessionCount).fill(-1);
  // per key the writes done so far, newest first
  const headOfKey = new Int32Array(state.keyCount).fill(-1);
  const writer = new Int32Array(countWrites(state, order));
  const before = new Int32Array(writer.length);
  let writes = 0;
  const seen = new Int32Array(sessionCount);
  let scan = 0;
  const patience = 64 + 4 * sessionCount;
  let perSession: WritesByKey | undefined;

  for (let i = 0; i < order.length; i++) {
    const t3 = order[i];
    const s = sessionOf[t3];
    const start = opStart[t3];
    const stop = opEnd[t3];
    // the row to work on: the session's own if nobody needs the old one any more
    let row = current[s];
    const last = newest[s];
    if (row === 0) row = pool.take();
    else if (readers[last] > 0) row = pool.copy(row);
    newest[s] = t3; // from here on the old row belongs to the readers of `last`
    let rows = pool.rows;
    let base = row * sessionCount;
    for (let op = start; op < stop; op++) {
      const t1 = from[op];
      if (t1 < 0 || kind[op] === 1) continue;
      if (rows[base + sessionOf[t1]] < place[t1]) join(rows, base, rowOf[t1] * sessionCount, sessionCount);
    }
    for (let op = start; op < stop; op++) {
      const t1 = from[op];
      if (t1 < INITIAL || kind[op] === 1) continue;
      const x = key[op];
      let node = headOfKey[x];
      if (t1 >= 0) {
        // mostly the newest write of the key is the one that was read
        const known = rowOf[t1] * sessionCount;
        let least = minOf[t1];
        let steps = 0;
        scan++;
        for (; node >= 0; node = before[node]) {
          const t2 = writer[node];
          const p = place[t2];
          if (p <= least) break;
          if (++steps === 8) least = leastUnshared(rows, base, known, sessionCount);
          else if (steps > patience) break;
          const s2 = sessionOf[t2];
          if (rows[known + s2] >= p || rows[base + s2] < p || seen[s2] === scan) continue;
          seen[s2] = scan;
          edges.add(t2, t1, op);
        }
        if (steps > patience) {
          perSession ??= new WritesByKey(state);
          perSession.demand(x, rows, base, known, place, sessionOf, (t2) => edges.add(t2, t1, op));
        }
        if (--readers[t1] === 0 && newest[sessionOf[t1]] !== t1) pool.free(rowOf[t1]);
      } else {
        let steps = 0;
        for (; node >= 0; node = before[node]) {
          const t2 = writer[node];
          if (++steps > patience) break;
          if (rows[base + sessionOf[t2]] < place[t2]) continue;
          edges.add(t2, INITIAL, op);
          break;
        }
        if (steps > patience) {
          perSession ??= new WritesByKey(state);
          perSession.demand(x, rows, base, -1, place, sessionOf, (t2) => edges.add(t2, INITIAL, op));
        }
      }
    }
    place[t3] = i + 1;
    rows = pool.rows;
    base = row * sessionCount;
    rows[base + s] = i + 1;
    current[s] = row;
    rowOf[t3] = row;
    if (readers[t3] > 0) {
      let least = rows[base];
      for (let k = 1; k < sessionCount; k++) if (rows[base + k] < least) least = rows[base + k];
      minOf[t3] = least;
    }
    for (let op = start; op < stop; op++) {
      if (kind[op] !== 1 || from[op] !== 1) continue;
      writer[writes] = t3;
      before[writes] = headOfKey[key[op]];
      headOfKey[key[op]] = writes++;
    }
    if ((i & 0xffff) === 0xffff) {
      options.progress?.(i);
      if (pool.bytes > (options.maxBytes ?? Infinity)) return 'memory';
    }
  }
  return 'done';
}

function join(rows: Int32Array, to: number, from: number, width: number): void {
  for (let k = 0; k < width; k++) {
    const value = rows[from + k];
    if (value > rows[to + k]) rows[to + k] = value;
  }
}

/** Only sessions of which row `mine` knows more than row `its` can matter; the least that `its` knows of one of them. */
function leastUnshared(rows: Int32Array, mine: number, its: number, width: number): number {
  let least = 2147483647;
  for (let k = 0; k < width; k++) if (rows[its + k] < rows[mine + k] && rows[its + k] < least) least = rows[its + k];
  return least;
}

/** Per transaction the reads of its writes that are still to come. */
function countReaders(state: AwditState, order: Uint32Array): Int32Array {
  const { from, history } = state;
  const { kind, opStart, opEnd } = history;
  const readers = new Int32Array(history.txnCount);
  for (let i = 0; i < order.length; i++) {
    for (let op = opStart[order[i]], end = opEnd[order[i]]; op < end; op++) if (from[op] >= 0 && kind[op] !== 1) readers[from[op]]++;
  }
  return readers;
}

function countWrites(state: AwditState, order: Uint32Array): number {
  const { from, history } = state;
  const { kind, opStart, opEnd } = history;
  let writes = 0;
  for (let i = 0; i < order.length; i++) {
    for (let op = opStart[order[i]], end = opEnd[order[i]]; op < end; op++) if (kind[op] === 1 && from[op] === 1) writes++;
  }
  return writes;
}

/** Rows of one width in one array; row 0 stands for "none". */
class RowPool {
  rows: Int32Array;
  private readonly width: number;
  private readonly unused = int32();
  private unusedCount = 0;
  private used = 1;

  constructor(width: number) {
    this.width = width;
    this.rows = new Int32Array(1024 * width);
  }

  get bytes(): number {
    return this.rows.byteLength;
  }

  /** A row of zeros. */
  take(): number {
    const row = this.allot();
    this.rows.fill(0, row * this.width, (row + 1) * this.width);
    return row;
  }

  copy(from: number): number {
    const row = this.allot();
    this.rows.copyWithin(row * this.width, from * this.width, (from + 1) * this.width);
    return row;
  }

  free(row: number): void {
    if (this.unusedCount === this.unused.length) this.unused.push(row);
    else this.unused.set(this.unusedCount, row);
    this.unusedCount++;
  }

  private allot(): number {
    if (this.unusedCount > 0) return this.unused.get(--this.unusedCount);
    if ((this.used + 1) * this.width > this.rows.length) {
      const wider = new Int32Array(Math.max(this.rows.length + 1024 * this.width, Math.floor(this.rows.length * 1.5)));
      wider.set(this.rows);
      this.rows = wider;
    }
    return this.used++;
  }
}

/** Every key's live writers in order of session and session order, for binary search. */
class WritesByKey {
  private readonly starts: Uint32Array;
  private readonly writers: Uint32Array;
  private readonly sessionStart: Uint32Array;

  constructor(state: AwditState) {
    const { history, key, from, live } = state;
    const { txnCount, opStart, opEnd, kind } = history;
    this.sessionStart = history.sessionStart;
    this.starts = new Uint32Array(state.keyCount + 1);
    const each = (visit: (t: number, key: number) => void): void => {
      for (let t = 0; t < txnCount; t++) {
        if (live[t] === 0) continue;
        for (let op = opStart[t]; op < opEnd[t]; op++) if (kind[op] === 1 && from[op] === 1) visit(t, key[op]);
      }
    };
    each((_, x) => this.starts[x + 1]++);
    for (let x = 0; x < state.keyCount; x++) this.starts[x + 1] += this.starts[x];
    const next = this.starts.slice();
    this.writers = new Uint32Array(this.starts[state.keyCount]);
    each((t, x) => {
      this.writers[next[x]++] = t;
    });
  }

  /** Per session its last writer of x within row `base`, unless row `known` (none: -1) has it. */
  demand(x: number, rows: Int32Array, base: number, known: number, place: Int32Array, sessionOf: Uint32Array, add: (t2: number) => void): void {
    const { starts, writers, sessionStart } = this;
    const end = starts[x + 1];
    for (let at = starts[x]; at < end; ) {
      const s = sessionOf[writers[at]];
      const next = lowerBound(writers, at, end, sessionStart[s + 1]);
      const limit = rows[base + s];
      // the last writer of this session that is done and known: places of undone ones are 0
      let low = at;
      let high = next;
      while (low < high) {
        const middle = (low + high) >> 1;
        const p = place[writers[middle]];
        if (p !== 0 && p <= limit) low = middle + 1;
        else high = middle;
      }
      if (low > at) {
        const t2 = writers[low - 1];
        if (known < 0 || rows[known + s] < place[t2]) add(t2);
      }
      at = next;
    }
  }
}

function lowerBound(sorted: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
