/**
 * Decides CAUSAL CONSISTENCY (AWDIT, Algorithm 3). If t3 reads x from t1, and t2, which also writes x, happened before
 * t3, then t2 -> t1. One pass runs in the order of the numbers, which is topological. The paper keeps one pointer per
 * key and pair of sessions. These points make this version fast and small:
 * - Clock rows hold transaction numbers (plus 1), live in a pool and are freed with their last reader.
 * - A join is skipped if the session knows the writer already.
 * - A t2 that happened before t1 demands nothing new, and everything up to the least entry of t1's row did. A key's
 * writes are therefore walked from the newest back to there. These are mostly one or two writes, which are kept apart
 * from the rest.
 * - A walk that takes longer goes on by column. Hot keys cause this, and sessions that are idle or whose writes nobody
 * reads, as they keep the least entry low. A key with many writes knows each session's last one, O(k) per read. Another
 * key has only O(k) writes.
 */
import { ClockRows } from './clock-rows.ts';
import type { InferredEdges } from './edges.ts';
import { INITIAL } from './state.ts';
import type { AwditState } from './state.ts';
import { WritesByKey } from './writes-by-key.ts';

export interface CausalOptions {
  /**
   * Restricts the run to the demands of every size-th stretch of transactions. Every thread has its own clocks, and the
   * threads share the walks.
   */
  readonly rank?: number;
  readonly size?: number;
  /** See CausalLists. */
  readonly lists?: CausalLists;
  /** The bytes that the clock rows may take. Past it the run gives up. */
  readonly maxBytes?: number;
}

/**
 * The writes by key, as pairs of writer and session, and for keys of many writes the same session's write before. Every
 * thread fills them with the same numbers in the same places before it reads them, so all threads can share one memory.
 */
export interface CausalLists {
  readonly written: Int32Array;
  readonly previous: Int32Array;
}

export function causalLists(state: AwditState, memory: (bytes: number) => ArrayBufferLike): CausalLists {
  const words = state.writeCount * 2;
  const { scratch } = state;
  const written =
    scratch !== undefined && scratch.byteLength >= words * 4 ? new Int32Array(scratch, 0, words) : new Int32Array(memory(words * 4));
  return { written, previous: new Int32Array(memory(state.writeCount * 4)) };
}

/** Adds the demands of every transaction. Returns 'memory' and gives up if the clock rows outgrow the limit. */
export function saturateCausal(state: AwditState, edges: InferredEdges, options: CausalOptions = {}): 'done' | 'memory' {
  const rank = options.rank ?? 0;
  const size = options.size ?? 1;
  const clocks = new CausalClocks(state, edges, options.lists ?? causalLists(state, (bytes) => new ArrayBuffer(bytes)));
  for (let v = 0; v < state.txnCount; v++) {
    if (state.live[v] === 1) clocks.advance(v, (v >>> 5) % size === rank);
    if ((v & 0xffff) === 0xffff && clocks.bytes > (options.maxBytes ?? Infinity)) return 'memory';
  }
  return 'done';
}

/**
 * Keys of at least this many writes per session keep, for each session, the place of its last write. O(n) memory
 * together.
 */
const HOT = 4;

/** The number of transactions of a session between two computations of the least entry of its row. */
const REFRESH = 6;

// A read needs four facts of its writer. They stand side by side, which costs one cache miss instead of four.
const SESSION = 0;
const ROW = 1;
/** A lower bound of the entries of its row. */
const LEAST = 2;
/** The number of reads of its writes that are still to come. */
const READERS = 3;

/**
 * The class has small methods rather than one long loop. Each is compiled well on its own, and again when it meets a
 * new case.
 */
class CausalClocks {
  private readonly state: AwditState;
  private readonly edges: InferredEdges;
  private readonly width: number;
  private readonly pool: ClockRows;
  private readonly notes: Int32Array;
  /** For each session, the row of its newest transaction (own entry included, 0: none yet), and that transaction. */
  private readonly current: Int32Array;
  private readonly newest: Int32Array;
  /**
   * For each session, a lower bound of its row's entries, and the number of transactions until it is computed again.
   * Rows only grow.
   */
  private readonly least: Int32Array;
  private readonly stale: Uint8Array;
  /** The writes of each key so far, as pairs of writer and column: starts[x] .. ends[x]. */
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly written: Int32Array;
  /** The newest write of each key and the one before, or -1. */
  private readonly heads: Int32Array;
  /** The place of each key among those of many writes, plus 1. It is 0 for the others. */
  private readonly hotPlace: Int32Array;
  /**
   * The place in `previous` where the writes of each hot key begin. `previous` holds the same session's write of the
   * key before, as a place in `written`.
   */
  private readonly hotStart: Uint32Array;
  private readonly previous: Int32Array;
  /** For each hot key and session, the last write (plus 1, 0 for none), and its place in `written`. */
  private readonly newestOf: Int32Array;
  private readonly lastNode: Int32Array;
  private readonly seen: Int32Array;
  private scan = 0;
  /** The number of steps that walks within columns may still take. It is O(1) per column, shared by all walks. */
  private patience = 1 << 16;
  private perSession: WritesByKey | undefined;

  constructor(state: AwditState, edges: InferredEdges, lists: CausalLists) {
    const { sessionCount } = state.history;
    this.state = state;
    this.edges = edges;
    this.width = sessionCount;
    this.pool = new ClockRows(this.width, state.txnCount + sessionCount);
    this.notes = new Int32Array(4 * state.txnCount);
    this.current = new Int32Array(sessionCount);
    this.newest = new Int32Array(sessionCount).fill(-1);
    this.least = new Int32Array(sessionCount);
    this.stale = new Uint8Array(sessionCount);
    this.starts = new Uint32Array(state.keyCount + 1);
    this.seen = new Int32Array(this.width);
    for (let v = 0; v < state.txnCount; v++) if (state.live[v] === 1) this.count(v);
    this.hotPlace = new Int32Array(state.keyCount);
    const hotStart = this.accumulate(HOT * this.width);
    this.ends = this.starts.slice(0, state.keyCount);
    this.written = lists.written;
    this.previous = lists.previous;
    this.heads = new Int32Array(2 * state.keyCount).fill(-1);
    const hotKeys = hotStart.length - 1;
    this.hotStart = Uint32Array.from(hotStart);
    this.newestOf = new Int32Array(hotKeys * this.width);
    this.lastNode = new Int32Array(hotKeys * this.width);
  }

  /**
   * Turns counts of writes into the places where they begin. Keys of at least `many` writes are hot, and the result
   * says where theirs begin.
   */
  private accumulate(many: number): number[] {
    const { starts, hotPlace } = this;
    const hotStart = [0];
    for (let x = 0; x < hotPlace.length; x++) {
      const count = starts[x + 1];
      starts[x + 1] += starts[x];
      if (count < many) continue;
      hotPlace[x] = hotStart.length;
      hotStart.push(hotStart[hotStart.length - 1] + count);
    }
    return hotStart;
  }

  get bytes(): number {
    return this.pool.bytes;
  }

  /** Handles the next transaction: its row, its writes, and the demands of its reads if it is this thread's turn. */
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
    let own = current[s] === 0 ? base : current[s] * width;
    for (let op = start; op < stop; op++) {
      if (from[op] >= 0 && kind[op] !== 1) own = this.hear(rows, base, own, s, from[op]);
    }
    if (own !== base) rows.copyWithin(base, own, own + width);
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

  /**
   * Returns the row to work on. It is the session's own if no reader needs the old one any more, else a new one to
   * fill.
   */
  private rowFor(session: number): number {
    const row = this.current[session];
    if (row === 0) return this.pool.take();
    return this.notes[4 * this.newest[session] + READERS] > 0 ? this.pool.allot() : row;
  }

  /**
   * Joins the writer's row with the session's own, unless the session knows the writer already. Returns the place of
   * the session's own row.
   */
  private hear(rows: Int32Array, base: number, own: number, session: number, t1: number): number {
    const s1 = this.notes[4 * t1 + SESSION];
    if (s1 === session || rows[own + s1] > t1) return own;
    join(rows, base, own, this.notes[4 * t1 + ROW] * this.width, this.width);
    return base;
  }

  private read(rows: Int32Array, base: number, op: number, t1: number): void {
    const x = this.state.key[op];
    const { heads, notes } = this;
    const least = notes[4 * t1 + LEAST];
    // The newest write of the key is mostly the one that was read, and t1 knew the one before.
    const newest = heads[2 * x];
    if (newest < least || (newest === t1 && heads[2 * x + 1] < least)) return;
    this.walk(rows, base, op, t1, x, least);
  }

  /**
   * Walks from the key's newest write back to where t1 knows them all. After a number of steps it goes on by column.
   */
  private walk(rows: Int32Array, base: number, op: number, t1: number, x: number, bound: number): void {
    const { written, seen, width } = this;
    const known = this.notes[4 * t1 + ROW] * width;
    const oldest = this.starts[x];
    const limit = 8 + (width >> 3);
    let least = bound;
    let steps = 0;
    this.scan++;
    for (let node = this.ends[x] - 1; node >= oldest; node--) {
      const t2 = written[2 * node];
      if (t2 < least) break;
      if (++steps === limit) {
        if (this.hotPlace[x] > 0) {
          this.columns(rows, base, known, op, t1, x);
          return;
        }
        least = leastUnshared(rows, base, known, width);
      }
      const column = written[2 * node + 1];
      if (rows[known + column] > t2 || rows[base + column] <= t2 || seen[column] === this.scan) continue;
      seen[column] = this.scan;
      this.edges.add(t2, t1, op);
    }
  }

  /**
   * Handles a key of many writes. For each session of which t3 knows more than t1, it takes the last write that t3
   * knows.
   */
  private columns(rows: Int32Array, base: number, known: number, op: number, t1: number, x: number): void {
    const { newestOf, width } = this;
    const place = (this.hotPlace[x] - 1) * width;
    for (let column = 0; column < width; column++) {
      const its = rows[known + column];
      if (newestOf[place + column] > its && rows[base + column] > its) this.column(rows[base + column], its, op, t1, x, column);
    }
  }

  /** Takes the session's last write of x that is numbered below `mine`, unless it is below `its` too. */
  private column(mine: number, its: number, op: number, t1: number, x: number, column: number): void {
    const { written, previous, seen } = this;
    if (seen[column] === this.scan) return;
    const shift = this.hotStart[this.hotPlace[x] - 1] - this.starts[x];
    let node = this.lastNode[(this.hotPlace[x] - 1) * this.width + column];
    this.patience += 2;
    for (; node >= 0 && written[2 * node] >= its; node = previous[node + shift]) {
      if (written[2 * node] < mine) {
        this.edges.add(written[2 * node], t1, op);
        return;
      }
      if (--this.patience < 0) {
        const t2 = this.askSessions().last(x, column, mine);
        if (t2 >= its) this.edges.add(t2, t1, op);
        return;
      }
    }
  }

  /** Any earlier writer of the key will do: nothing may come before the initial transaction. */
  private readInitial(rows: Int32Array, base: number, op: number): void {
    const { written, newestOf, hotPlace, width } = this;
    const x = this.state.key[op];
    const oldest = this.starts[x];
    const limit = hotPlace[x] > 0 ? 8 + (width >> 3) : Infinity;
    let steps = 0;
    for (let node = this.ends[x] - 1; node >= oldest; node--) {
      const t2 = written[2 * node];
      if (rows[base + written[2 * node + 1]] > t2) {
        this.edges.add(t2, INITIAL, op);
        return;
      }
      if (++steps === limit) break;
    }
    if (steps < limit) return;
    this.scan++;
    for (let column = 0; column < width; column++) {
      if (newestOf[(hotPlace[x] - 1) * width + column] > 0 && rows[base + column] > 0)
        this.column(rows[base + column], 0, op, INITIAL, x, column);
    }
  }

  private askSessions(): WritesByKey {
    return (this.perSession ??= new WritesByKey(this.state, this.starts));
  }

  private write(v: number, column: number, start: number, stop: number): void {
    const { ends, written, heads, hotPlace } = this;
    const { from, key, history } = this.state;
    const { kind } = history;
    for (let op = start; op < stop; op++) {
      if (kind[op] !== 1 || from[op] !== 1) continue;
      const x = key[op];
      const node = ends[x]++;
      written[2 * node] = v;
      written[2 * node + 1] = column;
      heads[2 * x + 1] = heads[2 * x];
      heads[2 * x] = v;
      if (hotPlace[x] > 0) this.writeHot(v, column, x, node);
    }
  }

  private writeHot(v: number, column: number, x: number, node: number): void {
    const hot = this.hotPlace[x] - 1;
    const place = hot * this.width + column;
    this.previous[node + this.hotStart[hot] - this.starts[x]] = this.newestOf[place] === 0 ? -1 : this.lastNode[place];
    this.newestOf[place] = v + 1;
    this.lastNode[place] = node;
  }

  /** The first pass counts the reads per writer and the last writes per key. */
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

/**
 * Takes the greater entry of each pair without a branch, because the processor cannot predict which of the two it is.
 */
function join(rows: Int32Array, to: number, own: number, from: number, width: number): void {
  let k = 0;
  for (; k + 4 <= width; k += 4) {
    const a = rows[from + k];
    const b = rows[from + k + 1];
    const c = rows[from + k + 2];
    const d = rows[from + k + 3];
    const aLess = (a - rows[own + k]) | 0;
    const bLess = (b - rows[own + k + 1]) | 0;
    const cLess = (c - rows[own + k + 2]) | 0;
    const dLess = (d - rows[own + k + 3]) | 0;
    rows[to + k] = a - (aLess & (aLess >> 31));
    rows[to + k + 1] = b - (bLess & (bLess >> 31));
    rows[to + k + 2] = c - (cLess & (cLess >> 31));
    rows[to + k + 3] = d - (dLess & (dLess >> 31));
  }
  for (; k < width; k++) rows[to + k] = rows[from + k] > rows[own + k] ? rows[from + k] : rows[own + k];
}

function leastOf(rows: Int32Array, base: number, width: number): number {
  let least = rows[base];
  for (let k = 1; k < width; k++) if (rows[base + k] < least) least = rows[base + k];
  return least;
}

/**
 * Only sessions of which row `mine` knows more than row `its` can matter. Returns the least entry that `its` has for
 * one of them.
 */
function leastUnshared(rows: Int32Array, mine: number, its: number, width: number): number {
  let least = 2147483647;
  for (let k = 0; k < width; k++) if (rows[its + k] < rows[mine + k] && rows[its + k] < least) least = rows[its + k];
  return least;
}
