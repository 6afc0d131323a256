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
 * - when the walks together got longer than the number of sessions per read, a long one changes to one binary search
 *   per session: O(k log n) for that read.
 */
import { ClockRows } from './clock-rows.ts';
import type { InferredEdges } from './edges.ts';
import { INITIAL } from './state.ts';
import type { AwditState } from './state.ts';
import { WritesByKey } from './writes-by-key.ts';

export interface CausalOptions {
  /** Only the demands of every size-th stretch of transactions: the clocks are every thread's own, the walks are shared out. */
  readonly rank?: number;
  readonly size?: number;
  /** Memory to use before any is taken. */
  readonly scratch?: ArrayBufferLike;
  /** Bytes that the clock rows may take; past it the run gives up. */
  readonly maxBytes?: number;
}

/** Adds what every transaction demands; returns 'memory' and gives up when the clock rows outgrow the limit. */
export function saturateCausal(state: AwditState, edges: InferredEdges, options: CausalOptions = {}): 'done' | 'memory' {
  const rank = options.rank ?? 0;
  const size = options.size ?? 1;
  const clocks = new CausalClocks(state, edges, options.scratch);
  for (let v = 0; v < state.txnCount; v++) {
    if (state.live[v] === 1) clocks.advance(v, (v >>> 5) % size === rank);
    if ((v & 0xffff) === 0xffff && clocks.bytes > (options.maxBytes ?? Infinity)) return 'memory';
  }
  return 'done';
}

/** Transactions of a session between two looks for the least entry of its row. */
const REFRESH = 6;

// what a read needs to know of its writer, side by side: one cache miss instead of four
const SESSION = 0;
const ROW = 1;
/** A lower bound of the entries of its row. */
const LEAST = 2;
/** Reads of its writes that are still to come. */
const READERS = 3;

/** Small methods rather than one long loop: each is compiled well on its own, and again when it meets a new case. */
class CausalClocks {
  private readonly state: AwditState;
  private readonly edges: InferredEdges;
  private readonly width: number;
  private readonly pool: ClockRows;
  private readonly notes: Int32Array;
  /** Per session the row of its newest transaction, own entry included (0: none yet), and that transaction. */
  private readonly current: Int32Array;
  private readonly newest: Int32Array;
  /** Per session a lower bound of its row's entries, and transactions until it is taken anew: rows only grow. */
  private readonly least: Int32Array;
  private readonly stale: Uint8Array;
  /** Per key the writes done so far, pairs of writer and column: starts[x] .. ends[x]. */
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly written: Int32Array;
  private readonly seen: Int32Array;
  private scan = 0;
  /** Steps that the walks may still take: O(width) per read, whoever uses them. */
  private patience = 1 << 16;
  private perSession: WritesByKey | undefined;

  constructor(state: AwditState, edges: InferredEdges, scratch: ArrayBufferLike | undefined) {
    const { sessionCount } = state.history;
    this.state = state;
    this.edges = edges;
    this.width = sessionCount;
    this.pool = new ClockRows(this.width);
    this.notes = new Int32Array(4 * state.txnCount);
    this.current = new Int32Array(sessionCount);
    this.newest = new Int32Array(sessionCount).fill(-1);
    this.least = new Int32Array(sessionCount);
    this.stale = new Uint8Array(sessionCount);
    this.starts = new Uint32Array(state.keyCount + 1);
    this.seen = new Int32Array(this.width);
    for (let v = 0; v < state.txnCount; v++) if (state.live[v] === 1) this.count(v);
    for (let x = 0; x < state.keyCount; x++) this.starts[x + 1] += this.starts[x];
    this.ends = this.starts.slice(0, state.keyCount);
    const words = this.starts[state.keyCount] * 2;
    this.written = scratch !== undefined && scratch.byteLength >= words * 4 ? new Int32Array(scratch, 0, words) : new Int32Array(words);
  }

  get bytes(): number {
    return this.pool.bytes;
  }

  /** The next transaction: its row, its writes, and if it is this thread's turn what its reads demand. */
  advance(v: number, walk: boolean): void {
    const { notes, pool, current, newest, width } = this;
    const { from, opStart, opEnd, session, history } = this.state;
    const { kind } = history;
    const s = session[v];
    const start = opStart[v];
    const stop = opEnd[v];
    const row = this.rowFor(s);
    newest[s] = v; // from here on the old row belongs to the readers of the session's last transaction
    const { rows } = pool;
    const base = row * width;
    for (let op = start; op < stop; op++) {
      if (from[op] >= 0 && kind[op] !== 1) this.hear(rows, base, s, from[op]);
    }
    for (let op = start; op < stop; op++) {
      const t1 = from[op];
      if (t1 < INITIAL || kind[op] === 1) continue;
      if (t1 < 0) {
        if (walk) this.readInitial(rows, base, op);
        continue;
      }
      if (walk) this.read(rows, base, op, t1);
      const note = 4 * t1;
      if (--notes[note + READERS] === 0 && newest[notes[note + SESSION]] !== t1) pool.free(notes[note + ROW]);
    }
    rows[base + s] = v + 1;
    current[s] = row;
    if (this.stale[s]-- === 0) {
      this.stale[s] = REFRESH;
      this.least[s] = leastOf(rows, base, width);
    }
    notes[4 * v + ROW] = row;
    notes[4 * v + LEAST] = this.least[s];
    this.write(v, s, start, stop);
  }

  /** The row to work on: the session's own if nobody needs the old one any more. */
  private rowFor(session: number): number {
    const row = this.current[session];
    if (row === 0) return this.pool.take();
    return this.notes[4 * this.newest[session] + READERS] > 0 ? this.pool.copy(row) : row;
  }

  /** Joins the writer's row, unless the session knows it already. */
  private hear(rows: Int32Array, base: number, session: number, t1: number): void {
    const s1 = this.notes[4 * t1 + SESSION];
    if (s1 === session || rows[base + s1] > t1) return;
    join(rows, base, this.notes[4 * t1 + ROW] * this.width, this.width);
  }

  private read(rows: Int32Array, base: number, op: number, t1: number): void {
    const { notes, written, seen } = this;
    const x = this.state.key[op];
    const note = 4 * t1;
    const known = notes[note + ROW] * this.width;
    const oldest = this.starts[x];
    let least = notes[note + LEAST];
    let steps = 0;
    this.patience += 64 + 4 * this.width;
    this.scan++;
    for (let node = this.ends[x] - 1; node >= oldest; node--) {
      const t2 = written[2 * node];
      if (t2 < least) break;
      if (++steps >= 8) {
        if (steps === 8) least = leastUnshared(rows, base, known, this.width);
        else if (steps > this.patience) {
          this.askSessions().demand(x, rows, base, known, (other) => this.edges.add(other, t1, op));
          break;
        }
      }
      const column = written[2 * node + 1];
      if (rows[known + column] > t2 || rows[base + column] <= t2 || seen[column] === this.scan) continue;
      seen[column] = this.scan;
      this.edges.add(t2, t1, op);
    }
    this.patience -= steps;
  }

  /** Any writer of the key that happened before will do: nothing may come before the initial transaction. */
  private readInitial(rows: Int32Array, base: number, op: number): void {
    const { written } = this;
    const x = this.state.key[op];
    const oldest = this.starts[x];
    let steps = 0;
    this.patience += 64 + 4 * this.width;
    for (let node = this.ends[x] - 1; node >= oldest; node--) {
      const t2 = written[2 * node];
      if (++steps > this.patience) {
        this.askSessions().demand(x, rows, base, -1, (other) => this.edges.add(other, INITIAL, op));
        break;
      }
      if (rows[base + written[2 * node + 1]] <= t2) continue;
      this.edges.add(t2, INITIAL, op);
      break;
    }
    this.patience -= steps;
  }

  private askSessions(): WritesByKey {
    return (this.perSession ??= new WritesByKey(this.state));
  }

  private write(v: number, column: number, start: number, stop: number): void {
    const { ends, written } = this;
    const { from, key, history } = this.state;
    const { kind } = history;
    for (let op = start; op < stop; op++) {
      if (kind[op] !== 1 || from[op] !== 1) continue;
      const node = ends[key[op]]++;
      written[2 * node] = v;
      written[2 * node + 1] = column;
    }
  }

  /** The first pass: reads per writer, last writes per key. */
  private count(v: number): void {
    const { notes, starts } = this;
    const { from, key, opStart, opEnd, session, history } = this.state;
    const { kind } = history;
    notes[4 * v + SESSION] = session[v];
    for (let op = opStart[v], stop = opEnd[v]; op < stop; op++) {
      if (kind[op] === 1) {
        if (from[op] === 1) starts[key[op] + 1]++;
      } else if (from[op] >= 0) notes[4 * from[op] + READERS]++;
    }
  }
}

function join(rows: Int32Array, to: number, from: number, width: number): void {
  let k = 0;
  for (; k + 4 <= width; k += 4) {
    const a = rows[from + k];
    const b = rows[from + k + 1];
    const c = rows[from + k + 2];
    const d = rows[from + k + 3];
    if (a > rows[to + k]) rows[to + k] = a;
    if (b > rows[to + k + 1]) rows[to + k + 1] = b;
    if (c > rows[to + k + 2]) rows[to + k + 2] = c;
    if (d > rows[to + k + 3]) rows[to + k + 3] = d;
  }
  for (; k < width; k++) if (rows[from + k] > rows[to + k]) rows[to + k] = rows[from + k];
}

function leastOf(rows: Int32Array, base: number, width: number): number {
  let least = rows[base];
  for (let k = 1; k < width; k++) if (rows[base + k] < least) least = rows[base + k];
  return least;
}

/** Only sessions of which row `mine` knows more than row `its` can matter; the least that `its` knows of one of them. */
function leastUnshared(rows: Int32Array, mine: number, its: number, width: number): number {
  let least = 2147483647;
  for (let k = 0; k < width; k++) if (rows[its + k] < rows[mine + k] && rows[its + k] < least) least = rows[its + k];
  return least;
}
