/**
 * A topological order of session order, write-read and inferred edges without building their graph: every session
 * advances its head; a head that needs a transaction which is not done yet waits for that one, in a linked list. Each
 * session takes one transaction per turn, so that the order stays close to time. O(n), no recursion.
 */
import type { AwditState } from './state.ts';

/** Inferred edges by target: v waits for sources[starts[v]] .. sources[starts[v + 1]]. */
export interface Incoming {
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
}

export interface TopologicalOrder {
  /** In order, as far as it goes; transactions that do not count take their session's place in it. */
  readonly order: Uint32Array;
  /** False: those that are not done lie on a cycle or behind one. */
  readonly complete: boolean;
  readonly done: Uint8Array;
}

export function topologicalOrder(state: Omit<AwditState, 'large'>, incoming?: Incoming): TopologicalOrder {
  const { history, from, live, txnCount, opStart, opEnd, rank } = state;
  const { sessionCount, sessionStart, kind } = history;
  const order = new Uint32Array(txnCount);
  const done = new Uint8Array(txnCount);
  const head = sessionStart.slice(0, sessionCount);
  // where the head's examination stopped: next operation, then next incoming edge
  const nextOp = new Float64Array(sessionCount).fill(-1);
  const nextEdge = new Float64Array(sessionCount);
  const waiting = new Int32Array(txnCount).fill(-1);
  const nextWaiter = new Int32Array(sessionCount);
  // a ring of sessions that may advance; each is in it at most once
  const ring = new Uint32Array(sessionCount);
  let ringStart = 0;
  let ringSize = sessionCount;
  for (let s = 0; s < sessionCount; s++) ring[s] = s;
  let placed = 0;
  while (ringSize > 0) {
    const s = ring[ringStart];
    ringStart = ringStart + 1 === sessionCount ? 0 : ringStart + 1;
    ringSize--;
    if (head[s] === sessionStart[s + 1]) continue;
    const v = rank[head[s]];
    let blocker = -1;
    if (live[v] === 1) {
      const fresh = nextOp[s] < 0;
      let op = fresh ? opStart[v] : nextOp[s];
      if (fresh && incoming !== undefined) nextEdge[s] = incoming.starts[v];
      for (const stop = opEnd[v]; op < stop; op++) {
        const writer = from[op];
        if (writer >= 0 && kind[op] !== 1 && done[writer] === 0) {
          blocker = writer;
          break;
        }
      }
      if (blocker < 0 && incoming !== undefined) {
        let edge = nextEdge[s];
        for (const stop = incoming.starts[v + 1]; edge < stop; edge++) {
          if (done[incoming.sources[edge]] === 0) {
            blocker = incoming.sources[edge];
            break;
          }
        }
        nextEdge[s] = edge;
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
    for (let w = waiting[v]; w >= 0; w = nextWaiter[w]) {
      ring[(ringStart + ringSize) % sessionCount] = w;
      ringSize++;
    }
    ring[(ringStart + ringSize) % sessionCount] = s;
    ringSize++;
  }
  return { order: order.subarray(0, placed), complete: placed === txnCount, done };
}
