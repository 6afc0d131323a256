/**
 * Is the dependency graph of a history with known version orders acyclic? Decided without building it: sessions advance
 * their heads, a session waits for one thing at a time (a writer that has not committed, a reader of the version it
 * overwrites that has not read, an end before its begin), and whatever happens wakes who waited for it. If all
 * transactions get through, the order is the proof; those that do not contain a cycle. O(operations), after the sort.
 *
 * SERIALIZABLE: a transaction happens at once; edges so, wr, ww, rw. SNAPSHOT ISOLATION: it begins (reads) and commits
 * (writes); so, wr and ww run from a commit to a begin, rw from a begin to a commit, which is (so u wr u ww) ; rw? of
 * the paper's Definition 6. STRICT adds the chain of real-time.ts.
 */
import type { KvHistory } from '../../core/index.ts';
import { CELL } from './link.ts';
import type { Links } from './link.ts';
import type { RealTime } from './real-time.ts';

/** Pairs of final writes that overwrote one version, the first with each other. */
export function divergentPairs({ overwrites, final, history, cells, diverged }: Links): readonly (readonly [number, number])[] {
  const first = new Map<number, number>();
  const pairs: [number, number][] = [];
  if (!diverged) return pairs;
  for (let op = 0; op < history.opCount; op++) {
    const v = overwrites[op];
    if (final[op] === 0 || v < 0 || (cells[v] & CELL.divergent) === 0) continue;
    const other = first.get(v);
    if (other === undefined) first.set(v, op);
    else pairs.push([other, op]);
  }
  return pairs;
}

/** Per version the one final write that overwrote it, -1 where there is none or more than one. */
export function overwriters({ overwrites, final, history, cells }: Links): Int32Array {
  const result = new Int32Array(history.opCount).fill(-1);
  for (let op = 0; op < history.opCount; op++) {
    const v = overwrites[op];
    if (final[op] === 1 && v >= 0 && (cells[v] & CELL.divergent) === 0) result[v] = op;
  }
  return result;
}

export interface Schedule {
  /** Live transactions that could not go through. */
  readonly stuck: number;
  /** Per transaction: 1 = went through (or does not count). */
  readonly done: Uint8Array;
}

export function scheduleAll(links: Links, snapshot: boolean, realTime: RealTime | undefined): Schedule {
  return new Scheduler(links, snapshot, realTime).run();
}

class Scheduler {
  private stuck = 0;
  private readonly links: Links;
  private readonly snapshot: boolean;
  private readonly realTime: RealTime | undefined;
  private readonly cells: Int32Array;
  private readonly done: Uint8Array;
  /**
   * Version -> session + 1: those that wait for its writer, a list through `nextWaiting`; later, when it is there, the
   * one that overwrites it and waits for its readers.
   */
  private readonly waiters: Int32Array;
  /** Place in the chain of ends -> those that wait for it, in the same way. */
  private readonly waitRank: Int32Array;
  private readonly nextWaiting: Int32Array;
  /** Per session its next transaction, and the operation that is looked at next; -1: not yet begun. */
  private readonly head: Int32Array;
  private readonly cursor: Int32Array;
  /** 1: reads are through, writes are looked at. */
  private readonly committing: Uint8Array;
  private readonly waiting: Uint8Array;
  private readonly ready: Int32Array;
  private readyCount = 0;
  /** Of the chain of ends. */
  private prefix = 0;

  constructor(links: Links, snapshot: boolean, realTime: RealTime | undefined) {
    const { opCount, sessionCount, sessionStart, txnCount } = links.history;
    this.links = links;
    this.snapshot = snapshot;
    this.realTime = realTime;
    this.cells = links.cells.slice();
    this.done = new Uint8Array(txnCount);
    this.waiters = new Int32Array(opCount);
    this.waitRank = new Int32Array(realTime === undefined ? 0 : realTime.byEnd.length + 1);
    this.nextWaiting = new Int32Array(sessionCount);
    this.head = Int32Array.from(sessionStart.subarray(0, sessionCount));
    this.cursor = new Int32Array(sessionCount).fill(-1);
    this.committing = new Uint8Array(sessionCount);
    this.waiting = new Uint8Array(sessionCount);
    this.ready = new Int32Array(sessionCount + 1);
    for (let t = 0; t < txnCount; t++) {
      if (links.live[t] === 1) this.stuck++;
      else this.done[t] = 1;
    }
  }

  /** Sessions advance together along the file, none ahead of it: neighbours in the file are neighbours in memory. */
  run(): Schedule {
    const { waiting, ready } = this;
    const { history } = this.links;
    const { order, position, sessionOf } = fileOrder(history);
    for (let i = 0; i < history.txnCount; i++) {
      if (waiting[sessionOf[order[i]]] === 1) continue;
      ready[this.readyCount++] = sessionOf[order[i]];
      while (this.readyCount > 0) {
        const s = ready[--this.readyCount];
        waiting[s] = 0;
        this.advance(s, i, position);
      }
    }
    return { stuck: this.stuck, done: this.done };
  }

  /** Session s goes on, at most to place i of the file. */
  private advance(s: number, i: number, position: Uint32Array): void {
    const { head, waiting } = this;
    const { live, history } = this.links;
    const stop = history.sessionStart[s + 1];
    for (let t = head[s]; t < stop && position[t] <= i; t = ++head[s]) {
      if (live[t] === 0) continue;
      if (!this.begins(s, t) || !this.reads(s, t) || !this.overwrites(s, t)) {
        waiting[s] = 1;
        return;
      }
      this.commit(s, t);
      if (this.realTime !== undefined) this.extendPrefix(this.realTime.byEnd);
    }
  }

  /** False: waits for an end before its begin. */
  private begins(s: number, t: number): boolean {
    if (this.cursor[s] >= 0) return true;
    if (this.realTime !== undefined && this.realTime.rank[t] > this.prefix) {
      const rank = this.realTime.rank[t];
      this.nextWaiting[s] = this.waitRank[rank];
      this.waitRank[rank] = s + 1;
      return false;
    }
    this.cursor[s] = this.links.history.opStart[t];
    return true;
  }

  /** False: waits for a writer. */
  private reads(s: number, t: number): boolean {
    if (this.committing[s] === 1) return true;
    const { cells, waiters } = this;
    const { external, history } = this.links;
    for (let op = this.cursor[s], end = history.opEnd[t]; op < end; op++) {
      const v = external[op];
      if (v < 0 || (cells[v] & CELL.available) !== 0) continue;
      cells[v] |= CELL.writerAwaited;
      this.cursor[s] = op;
      this.nextWaiting[s] = waiters[v];
      waiters[v] = s + 1;
      return false;
    }
    if (this.snapshot) this.releaseReads(t);
    this.committing[s] = 1;
    this.cursor[s] = history.opStart[t];
    return true;
  }

  /** A snapshot's reads are over before it commits. */
  private releaseReads(t: number): void {
    const { cells, waiters } = this;
    const { external, history } = this.links;
    for (let op = history.opStart[t], end = history.opEnd[t]; op < end; op++) {
      const v = external[op];
      if (v < 0) continue;
      const left = --cells[v];
      if ((left & CELL.readersAwaited) === 0 || (left & CELL.readers) !== 0) continue;
      this.ready[this.readyCount++] = waiters[v] - 1;
      cells[v] = left & ~CELL.readersAwaited;
    }
  }

  /** False: waits for the readers of a version that it overwrites. */
  private overwrites(s: number, t: number): boolean {
    const { cells } = this;
    const { overwrites, final, history } = this.links;
    const selfReads = this.snapshot ? 0 : 1; // a transaction's own read of what it overwrites is still counted when it commits
    for (let op = this.cursor[s], end = history.opEnd[t]; op < end; op++) {
      const v = overwrites[op];
      if (v < 0 || final[op] === 0) continue;
      const cell = cells[v];
      if ((cell & CELL.readers) <= selfReads || (cell & CELL.divergent) !== 0) continue;
      cells[v] = cell | CELL.readersAwaited;
      this.cursor[s] = op;
      this.waiters[v] = s + 1;
      return false;
    }
    return true;
  }

  private commit(s: number, t: number): void {
    const { cells, waiters, nextWaiting, ready, snapshot } = this;
    const { external, final, history } = this.links;
    this.done[t] = 1;
    this.stuck--;
    this.cursor[s] = -1;
    this.committing[s] = 0;
    for (let op = history.opStart[t], end = history.opEnd[t]; op < end; op++) {
      const v = external[op];
      if (v >= 0) {
        if (snapshot) continue;
        const left = --cells[v];
        if ((left & CELL.readersAwaited) === 0 || (left & CELL.readers) !== 1) continue;
        ready[this.readyCount++] = waiters[v] - 1;
        cells[v] = left & ~CELL.readersAwaited;
      } else if (final[op] === 1) {
        const cell = cells[op];
        cells[op] = (cell & ~CELL.writerAwaited) | CELL.available;
        if ((cell & CELL.writerAwaited) === 0) continue;
        for (let w = waiters[op]; w !== 0; w = nextWaiting[w - 1]) ready[this.readyCount++] = w - 1;
        waiters[op] = 0;
      }
    }
  }

  /** The chain of ends goes on over what is done, and wakes who waited for it. */
  private extendPrefix(byEnd: RealTime['byEnd']): void {
    const { done, waitRank, nextWaiting } = this;
    while (this.prefix < byEnd.length && done[byEnd[this.prefix]] === 1) {
      const rank = ++this.prefix;
      for (let w = waitRank[rank]; w !== 0; w = nextWaiting[w - 1]) this.ready[this.readyCount++] = w - 1;
      waitRank[rank] = 0;
    }
  }
}

/** The file's order, each transaction's place in it, and its session. */
function fileOrder({ fileOrder: given, txnCount, sessionCount, sessionStart }: KvHistory): { order: Uint32Array; position: Uint32Array; sessionOf: Uint32Array } {
  const sessionOf = new Uint32Array(txnCount);
  for (let s = 0; s < sessionCount; s++) sessionOf.fill(s, sessionStart[s], sessionStart[s + 1]);
  const order = given ?? Uint32Array.from(sessionOf, (_, t) => t);
  const position = new Uint32Array(txnCount);
  for (let i = 0; i < txnCount; i++) position[order[i]] = i;
  return { order, position, sessionOf };
}
