/**
 * CAUSAL CONSISTENCY (AWDIT, Algorithm 3): t3 reads x from t1 and t2, which also writes x, happened before t3: then
 * t2 -> t1. One pass in the order of the numbers, which is topological. Against the paper's bookkeeping of one pointer per key and
 * pair of sessions, what makes it fast and small:
 * - clock rows hold transaction numbers (plus 1), live in a pool and are freed with their last reader;
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
export function saturateCausal(state: AwditState, edges: InferredEdges, options: CausalOptions = {}): 'done' | 'memory' {
  const { key, from, txnCount, opStart, opEnd, session, live } = state;
  const { sessionCount, kind } = state.history;
  const { readers, writeCount } = countReadersAndWrites(state);
  const pool = new RowPool(sessionCount);
  const rowOf = new Int32Array(txnCount);
  const minOf = new Int32Array(txnCount); // least entry of the row, for transactions that somebody reads
  // the row of a session's newest transaction, own entry included; 0: none yet
  const current = new Int32Array(sessionCount);
  const newest = new Int32Array(sessionCount).fill(-1);
  // per key the writes done so far, newest first
  const headOfKey = new Int32Array(state.keyCount).fill(-1);
  const writer = new Int32Array(writeCount);
  const before = new Int32Array(writer.length);
  let writes = 0;
  const seen = new Int32Array(sessionCount);
  let scan = 0;
  const patience = 64 + 4 * sessionCount;
  let perSession: WritesByKey | undefined;

  for (let t3 = 0; t3 < txnCount; t3++) {
    if (live[t3] === 0) continue;
    const s = session[t3];
    const start = opStart[t3];
    const stop = opEnd[t3];
    // the row to work on: the session's own if nobody needs the old one any more
    let row = current[s];
    const last = newest[s];
    if (row === 0) row = pool.take();
    else if (readers[last] > 0) row = pool.copy(row);
    newest[s] = t3; // from here on the old row belongs to the readers of `last`
    const rows = pool.rows;
    const base = row * sessionCount;
    for (let op = start; op < stop; op++) {
      const t1 = from[op];
      if (t1 < 0 || kind[op] === 1) continue;
      if (rows[base + session[t1]] <= t1) join(rows, base, rowOf[t1] * sessionCount, sessionCount);
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
          if (t2 < least) break;
          if (++steps === 8) least = leastUnshared(rows, base, known, sessionCount);
          else if (steps > patience) break;
          const s2 = session[t2];
          if (rows[known + s2] > t2 || rows[base + s2] <= t2 || seen[s2] === scan) continue;
          seen[s2] = scan;
          edges.add(t2, t1, op);
        }
        if (steps > patience) {
          perSession ??= new WritesByKey(state);
          perSession.demand(x, rows, base, known, (t2) => edges.add(t2, t1, op));
        }
        if (--readers[t1] === 0 && newest[session[t1]] !== t1) pool.free(rowOf[t1]);
      } else {
        let steps = 0;
        for (; node >= 0; node = before[node]) {
          const t2 = writer[node];
          if (++steps > patience) break;
          if (rows[base + session[t2]] <= t2) continue;
          edges.add(t2, INITIAL, op);
          break;
        }
        if (steps > patience) {
          perSession ??= new WritesByKey(state);
          perSession.demand(x, rows, base, -1, (t2) => edges.add(t2, INITIAL, op));
        }
      }
    }
    rows[base + s] = t3 + 1;
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
    if ((t3 & 0xffff) === 0xffff) {
      options.progress?.(t3);
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

/** Per transaction the reads of its writes that are still to come; and all last writes. */
function countReadersAndWrites(state: AwditState): { readers: Int32Array; writeCount: number } {
  const { from, txnCount, opStart, opEnd, live } = state;
  const { kind } = state.history;
  const readers = new Int32Array(txnCount);
  let writeCount = 0;
  for (let v = 0; v < txnCount; v++) {
    if (live[v] === 0) continue;
    for (let op = opStart[v], end = opEnd[v]; op < end; op++) {
      if (kind[op] === 1) writeCount += from[op];
      else if (from[op] >= 0) readers[from[op]]++;
    }
  }
  return { readers, writeCount };
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

/** Every key's live writers by session and session order, for binary search. */
class WritesByKey {
  private readonly starts: Uint32Array;
  private readonly writers: Uint32Array;
  private readonly session: Uint32Array;

  constructor(state: AwditState) {
    const { history, key, from, live, rank, opStart, opEnd } = state;
    const { txnCount, kind } = history;
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
