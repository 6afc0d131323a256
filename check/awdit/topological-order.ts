/**
 * Finds a topological order of session order, write-read and inferred edges without building their graph. Every session
 * advances its head. A head that needs a transaction which is not done yet waits for it in a linked list. Each session
 * takes one transaction per turn, so that the order stays close to time. O(n), no recursion.
 */
import type { AwditState } from './state.ts';

/** Inferred edges by target: v waits for sources[starts[v]] .. sources[starts[v + 1]]. */
export interface Incoming {
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
}

export interface TopologicalOrder {
  /** The order, as far as it goes. Transactions that do not count take their session's place in it. */
  readonly order: Uint32Array;
  /** False means that the transactions not done lie on a cycle or behind one. */
  readonly complete: boolean;
  readonly done: Uint8Array;
}

export function topologicalOrder(state: Omit<AwditState, 'large'>, incoming?: Incoming): TopologicalOrder {
  const { history, from, live, txnCount, opStart, opEnd, rank } = state;
  const { sessionCount, sessionStart, kind } = history;
  const order = new Uint32Array(txnCount);
  const done = new Uint8Array(txnCount);
  const head = sessionStart.slice(0, sessionCount);
  // The place where the head's examination stopped: the next operation, then the next incoming edge.
  const nextOp = new Float64Array(sessionCount).fill(-1);
  const nextEdge = new Float64Array(sessionCount);
  const waiting = new Int32Array(txnCount).fill(-1);
  const nextWaiter = new Int32Array(sessionCount);
  const ring = new SessionRing(sessionCount);
  let placed = 0;
  while (ring.size > 0) {
    const s = ring.take();
    if (head[s] === sessionStart[s + 1]) continue;
    const v = rank[head[s]];
    let blocker = -1;
    if (live[v] === 1) {
      const fresh = nextOp[s] < 0;
      let op = fresh ? opStart[v] : nextOp[s];
      if (fresh && incoming !== undefined) nextEdge[s] = incoming.starts[v];
      op = firstOpenRead(from, kind, done, op, opEnd[v]);
      if (op < opEnd[v]) blocker = from[op];
      else if (incoming !== undefined) {
        const edge = firstOpenSource(incoming, done, v, nextEdge[s]);
        nextEdge[s] = edge;
        if (edge < incoming.starts[v + 1]) blocker = incoming.sources[edge];
      }
      if (blocker >= 0) {
        nextOp[s] = op;
        nextWaiter[s] = waiting[blocker];
        waiting[blocker] = s;
        continue;
      }
    }
    done[v] = 1;
    order[placed++] = v;
    head[s]++;
    nextOp[s] = -1;
    for (let w = waiting[v]; w >= 0; w = nextWaiter[w]) ring.put(w);
    ring.put(s);
  }
  return { order: order.subarray(0, placed), complete: placed === txnCount, done };
}

/** Returns the first read from operation `first` on whose writer is not done, or `stop`. */
function firstOpenRead(from: Int32Array, kind: Uint8Array, done: Uint8Array, first: number, stop: number): number {
  let op = first;
  for (; op < stop; op++) {
    const writer = from[op];
    if (writer >= 0 && kind[op] !== 1 && done[writer] === 0) break;
  }
  return op;
}

/**
 * Returns the first edge from `first` on that leads to v from a transaction that is not done, or the end of v's edges.
 */
function firstOpenSource({ starts, sources }: Incoming, done: Uint8Array, v: number, first: number): number {
  const stop = starts[v + 1];
  let edge = first;
  while (edge < stop && done[sources[edge]] === 1) edge++;
  return edge;
}

/** The sessions that may advance, each at most once, in the order in which they were added. */
class SessionRing {
  size: number;
  private readonly sessions: Uint32Array;
  private start = 0;

  /** All sessions are in the ring at first. */
  constructor(sessionCount: number) {
    this.size = sessionCount;
    this.sessions = Uint32Array.from({ length: sessionCount }, (_, s) => s);
  }

  take(): number {
    const s = this.sessions[this.start];
    this.start = this.start + 1 === this.sessions.length ? 0 : this.start + 1;
    this.size--;
    return s;
  }

  put(s: number): void {
    this.sessions[(this.start + this.size) % this.sessions.length] = s;
    this.size++;
  }
}
