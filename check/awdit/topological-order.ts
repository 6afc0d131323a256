/**
 * A topological order of session order, write-read and inferred edges without building their graph: every session
 * advances its head; a head that needs a transaction which is not done yet waits for that one, in a linked list. Each
 * session takes one transaction per turn, so that the order stays close to time. O(n), no recursion.
 */
import type { AwditState } from './state.ts';

/** Inferred edges by target: t waits for sources[starts[t]] .. sources[starts[t + 1]]. */
export interface Incoming {
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
}

export interface TopologicalOrder {
  /** The live transactions in order, as far as it goes. */
  readonly order: Uint32Array;
  /** False: those that are not done lie on a cycle or behind one. */
  readonly complete: boolean;
  readonly done: Uint8Array;
}

export function topologicalOrder(state: AwditState, incoming?: Incoming): TopologicalOrder {
  const { history, from, live } = state;
  const { sessionCount, sessionStart, txnCount, opStart, opEnd, kind } = history;
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
  let dead = 0;
  while (ringSize > 0) {
    const s = ring[ringStart];
    ringStart = ringStart + 1 === sessionCount ? 0 : ringStart + 1;
    ringSize--;
    const end = sessionStart[s + 1];
    let t = head[s];
    while (t < end && live[t] === 0) {
      t++;
      dead++;
    }
    head[s] = t;
    if (t === end) continue;
    let op = nextOp[s] < 0 ? opStart[t] : nextOp[s];
    if (nextOp[s] < 0 && incoming !== undefined) nextEdge[s] = incoming.starts[t];
    let blocker = -1;
    for (const stop = opEnd[t]; op < stop; op++) {
      const writer = from[op];
      if (writer >= 0 && kind[op] !== 1 && done[writer] === 0) {
        blocker = writer;
        break;
      }
    }
    if (blocker < 0 && incoming !== undefined) {
      let edge = nextEdge[s];
      for (const stop = incoming.starts[t + 1]; edge < stop; edge++) {
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
    done[t] = 1;
    order[placed++] = t;
    head[s] = t + 1;
    nextOp[s] = -1;
    for (let w = waiting[t]; w >= 0; w = nextWaiter[w]) {
      ring[(ringStart + ringSize) % sessionCount] = w;
      ringSize++;
    }
    ring[(ringStart + ringSize) % sessionCount] = s;
    ringSize++;
  }
  return { order: order.subarray(0, placed), complete: placed + dead === txnCount, done };
}
