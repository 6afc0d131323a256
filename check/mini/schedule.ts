/**
 * Decides without building it whether the dependency graph of a history with known version orders is acyclic. Sessions
 * advance their heads, and a session waits for one event at a time. The event is the commit of a writer, a read of the
 * version that it overwrites, or an end before its begin. Each event wakes the sessions that wait for it. If all
 * transactions complete, the order is the proof. Those that do not complete contain a cycle. O(operations), after the
 * sort.
 *
 * SERIALIZABLE: a transaction happens at once, with edges so, wr, ww, rw. SNAPSHOT ISOLATION: it begins (reads) and
 * commits (writes). so, wr and ww run from a commit to a begin, rw from a begin to a commit, which is (so u wr u ww) ;
 * rw? of the paper's Definition 6. STRICT adds the chain of real-time.ts.
 */
import type { KvHistory } from '../../core/index.ts';
import { CELL } from './link.ts';
import type { Links } from './link.ts';
import type { RealTime } from './real-time.ts';

/** Returns pairs of final writes that overwrote one version, the first with each other. */
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

/** For each version, the one final write that overwrote it, -1 if there is none or more than one. */
export function overwriters({ overwrites, final, history, cells }: Links): Int32Array {
  const result = new Int32Array(history.opCount).fill(-1);
  for (let op = 0; op < history.opCount; op++) {
    const v = overwrites[op];
    if (final[op] === 1 && v >= 0 && (cells[v] & CELL.divergent) === 0) result[v] = op;
  }
  return result;
}

export interface Schedule {
  /** The number of live transactions that could not complete. */
  readonly stuck: number;
  /** 1 for each transaction that completed (or does not count). */
  readonly done: Uint8Array;
}

export function scheduleAll(links: Links, snapshot: boolean, realTime: RealTime | undefined): Schedule {
  const { history, external, overwrites, final, live } = links;
  const { opStart, opEnd, sessionCount, sessionStart, txnCount } = history;
  const cells = links.cells.slice();
  const {
    available: AVAILABLE,
    writerAwaited: WRITER_AWAITED,
    readersAwaited: READERS_AWAITED,
    divergent: DIVERGENT,
    readers: READERS,
  } = CELL;
  // Maps a version to session + 1 of the sessions that wait for its writer, a list through `nextWaiting`. Once the
  // version is available, it holds the session that overwrites it and waits for its readers.
  const waiters = new Int32Array(history.opCount);
  const waitRank = new Int32Array(realTime === undefined ? 0 : realTime.byEnd.length + 1);
  const nextWaiting = new Int32Array(sessionCount);
  const head = Int32Array.from(sessionStart.subarray(0, sessionCount));
  const cursor = new Int32Array(sessionCount).fill(-1); // the operation looked at next; -1: not yet begun
  const committing = new Uint8Array(sessionCount); // 1: all reads are done, and the writes are processed
  const done = new Uint8Array(txnCount);
  const ready = new Int32Array(sessionCount + 1);
  const waiting = new Uint8Array(sessionCount);
  const { order, position, sessionOf } = fileOrder(history);
  let readyCount = 0;
  let prefix = 0; // the length of the chain of ends so far
  let stuck = 0;
  for (let t = 0; t < txnCount; t++) {
    if (live[t] === 1) stuck++;
    else done[t] = 1;
  }
  const selfReads = snapshot ? 0 : 1; // a transaction's own read of what it overwrites is still counted when it commits

  // Sessions advance together along the file, none ahead of it, since neighbours in the file are neighbours in memory.
  for (let i = 0; i < txnCount; i++) {
    if (waiting[sessionOf[order[i]]] === 1) continue;
    ready[readyCount++] = sessionOf[order[i]];
    while (readyCount > 0) {
      const s = ready[--readyCount];
      waiting[s] = 0;
      session: for (let t = head[s]; t < sessionStart[s + 1] && position[t] <= i; t = ++head[s]) {
        if (live[t] === 0) continue;
        const start = opStart[t];
        const end = opEnd[t];
        let op = cursor[s];
        if (op < 0) {
          if (realTime !== undefined && realTime.rank[t] > prefix) {
            nextWaiting[s] = waitRank[realTime.rank[t]];
            waitRank[realTime.rank[t]] = s + 1;
            waiting[s] = 1;
            break session;
          }
          op = start;
        }
        if (committing[s] === 0) {
          for (; op < end; op++) {
            const v = external[op];
            if (v < 0 || (cells[v] & AVAILABLE) !== 0) continue;
            cells[v] |= WRITER_AWAITED;
            cursor[s] = op;
            nextWaiting[s] = waiters[v];
            waiters[v] = s + 1;
            waiting[s] = 1;
            break session;
          }
          if (snapshot) {
            for (op = start; op < end; op++) {
              const v = external[op];
              if (v < 0) continue;
              const left = --cells[v];
              if ((left & READERS_AWAITED) !== 0 && (left & READERS) === 0) {
                ready[readyCount++] = waiters[v] - 1;
                cells[v] = left & ~READERS_AWAITED;
              }
            }
          }
          committing[s] = 1;
          op = start;
        }
        for (; op < end; op++) {
          const v = overwrites[op];
          if (v < 0 || final[op] === 0) continue;
          const cell = cells[v];
          if ((cell & READERS) <= selfReads || (cell & DIVERGENT) !== 0) continue;
          cells[v] = cell | READERS_AWAITED;
          cursor[s] = op;
          waiters[v] = s + 1;
          waiting[s] = 1;
          break session;
        }
        // The transaction completes.
        done[t] = 1;
        stuck--;
        cursor[s] = -1;
        committing[s] = 0;
        for (op = start; op < end; op++) {
          const v = external[op];
          if (v >= 0) {
            if (snapshot) continue;
            const left = --cells[v];
            if ((left & READERS_AWAITED) === 0 || (left & READERS) !== 1) continue;
            ready[readyCount++] = waiters[v] - 1;
            cells[v] = left & ~READERS_AWAITED;
          } else if (final[op] === 1) {
            const cell = cells[op];
            cells[op] = (cell & ~WRITER_AWAITED) | AVAILABLE;
            if ((cell & WRITER_AWAITED) === 0) continue;
            for (let w = waiters[op]; w !== 0; w = nextWaiting[w - 1]) ready[readyCount++] = w - 1;
            waiters[op] = 0;
          }
        }
        if (realTime === undefined) continue;
        while (prefix < realTime.byEnd.length && done[realTime.byEnd[prefix]] === 1) {
          prefix++;
          for (let w = waitRank[prefix]; w !== 0; w = nextWaiting[w - 1]) ready[readyCount++] = w - 1;
          waitRank[prefix] = 0;
        }
      }
    }
  }
  return { stuck, done };
}

/** Returns the file's order, each transaction's place in it, and its session. */
function fileOrder({ fileOrder: given, txnCount, sessionCount, sessionStart }: KvHistory): {
  order: Uint32Array;
  position: Uint32Array;
  sessionOf: Uint32Array;
} {
  const sessionOf = new Uint32Array(txnCount);
  for (let s = 0; s < sessionCount; s++) sessionOf.fill(s, sessionStart[s], sessionStart[s + 1]);
  const order = given ?? Uint32Array.from(sessionOf, (_, t) => t);
  const position = new Uint32Array(txnCount);
  for (let i = 0; i < txnCount; i++) position[order[i]] = i;
  return { order, position, sessionOf };
}
