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
import { OP } from '../../core/index.ts';
import type { Links } from './link.ts';
import type { RealTime } from './real-time.ts';

export interface VersionUse {
  /** Per version: how many transactions read it from outside. */
  readonly readers: Int32Array;
  /** Per version: the final write that overwrote it; -1 none, DIVERGED more than one. */
  readonly overwriter: Int32Array;
  /** Pairs of final writes that overwrote one version, the first with each other. */
  readonly divergent: readonly (readonly [first: number, other: number])[];
}

export const DIVERGED = -2;

export function versionUse(links: Links): VersionUse {
  const { external, overwrites, final, history } = links;
  const n = history.opCount;
  const readers = new Int32Array(n);
  const overwriter = new Int32Array(n).fill(-1);
  const firstOf = new Map<number, number>();
  const divergent: [number, number][] = [];
  for (let op = 0; op < n; op++) {
    if (external[op] >= 0) readers[external[op]]++;
    if (final[op] === 0 || overwrites[op] < 0) continue;
    const v = overwrites[op];
    if (overwriter[v] === -1) overwriter[v] = op;
    else {
      if (overwriter[v] !== DIVERGED) firstOf.set(v, overwriter[v]);
      divergent.push([firstOf.get(v) ?? op, op]);
      overwriter[v] = DIVERGED;
    }
  }
  return { readers, overwriter, divergent };
}

export interface Schedule {
  /** Live transactions that could not go through. */
  readonly stuck: number;
  /** Per transaction: 1 = went through (or does not count). */
  readonly done: Uint8Array;
}

export function scheduleAll(links: Links, use: VersionUse, snapshot: boolean, realTime: RealTime | undefined): Schedule {
  const { history, external, overwrites, final, live, opTxn } = links;
  const { opStart, opEnd, kind, sessionCount, sessionStart, txnCount } = history;
  const { overwriter } = use;
  const left = use.readers.slice();
  const waitWriter = new Int32Array(history.opCount); // version -> session + 1, a list through `nextWaiting`
  const waitReaders = new Int32Array(history.opCount); // version -> the one session + 1 that overwrites it
  const waitRank = new Int32Array(realTime === undefined ? 0 : realTime.byEnd.length + 1);
  const nextWaiting = new Int32Array(sessionCount);
  const head = Int32Array.from(sessionStart.subarray(0, sessionCount));
  const cursor = new Int32Array(sessionCount).fill(-1); // operation looked at next; -1: not yet begun
  const committing = new Uint8Array(sessionCount); // 1: reads are through, writes are looked at
  const done = new Uint8Array(txnCount);
  const ready = new Int32Array(sessionCount + 1);
  let readyCount = 0;
  let prefix = 0; // of the chain of ends
  let stuck = 0;
  for (let t = 0; t < txnCount; t++) {
    if (live[t] === 1) stuck++;
    else done[t] = 1;
  }
  for (let s = sessionCount - 1; s >= 0; s--) ready[readyCount++] = s;
  const selfReads = snapshot ? 0 : 1; // a transaction's own read of what it overwrites is still counted when it commits

  while (readyCount > 0) {
    const s = ready[--readyCount];
    session: for (let t = head[s]; t < sessionStart[s + 1]; t = ++head[s]) {
      if (live[t] === 0) continue;
      let op = cursor[s];
      if (op < 0) {
        if (realTime !== undefined && realTime.rank[t] > prefix) {
          nextWaiting[s] = waitRank[realTime.rank[t]];
          waitRank[realTime.rank[t]] = s + 1;
          break session;
        }
        op = opStart[t];
      }
      const end = opEnd[t];
      if (committing[s] === 0) {
        for (; op < end; op++) {
          const v = external[op];
          if (v < 0 || kind[v] !== OP.write || done[opTxn[v]] === 1) continue;
          cursor[s] = op;
          nextWaiting[s] = waitWriter[v];
          waitWriter[v] = s + 1;
          break session;
        }
        if (snapshot) {
          for (op = opStart[t]; op < end; op++) {
            const v = external[op];
            if (v >= 0 && --left[v] === 0 && waitReaders[v] !== 0) {
              ready[readyCount++] = waitReaders[v] - 1;
              waitReaders[v] = 0;
            }
          }
        }
        committing[s] = 1;
        op = opStart[t];
      }
      for (; op < end; op++) {
        if (final[op] === 0 || overwrites[op] < 0) continue;
        const v = overwrites[op];
        if (overwriter[v] === DIVERGED || left[v] <= selfReads) continue;
        cursor[s] = op;
        waitReaders[v] = s + 1;
        break session;
      }
      // through
      done[t] = 1;
      stuck--;
      cursor[s] = -1;
      committing[s] = 0;
      for (op = opStart[t]; op < end; op++) {
        const v = external[op];
        if (!snapshot && v >= 0 && --left[v] === 1 && waitReaders[v] !== 0) {
          ready[readyCount++] = waitReaders[v] - 1;
          waitReaders[v] = 0;
        }
        if (final[op] === 0) continue;
        for (let w = waitWriter[op]; w !== 0; w = nextWaiting[w - 1]) ready[readyCount++] = w - 1;
        waitWriter[op] = 0;
      }
      if (realTime === undefined) continue;
      while (prefix < realTime.byEnd.length && done[realTime.byEnd[prefix]] === 1) {
        prefix++;
        for (let w = waitRank[prefix]; w !== 0; w = nextWaiting[w - 1]) ready[readyCount++] = w - 1;
        waitRank[prefix] = 0;
      }
    }
  }
  return { stuck, done };
}
