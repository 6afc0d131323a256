/**
 * Turns a history into an AwditState. Keys are numbered, and every read is given its writer. Transactions are
 * renumbered so that reads come after their writers where that is possible. Each step is one pass from left to right,
 * by the whole thread group.
 */
import { TXN_STATUS } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import type { Steps, ThreadGroup } from '../threads/thread-group.ts';
import { findWriters } from './find-writers.ts';
import { listLargeWriters } from './large-writers.ts';
import { numberKeys, taskSize } from './number-keys.ts';
import { markOwnOperations } from './own-operations.ts';
import { AMBIGUOUS, BAD, INTERNAL, SMALL } from './state.ts';
import type { AwditState } from './state.ts';
import { topologicalOrder } from './topological-order.ts';

/** The state without the part that only large transactions need. */
type Base = Omit<AwditState, 'large'>;

export function* prepare(threadGroup: ThreadGroup, history: KvHistory): Steps<AwditState> {
  const { txnCount } = history;
  const numbered = yield* numberKeys(threadGroup, history);
  const { key, keyCount } = numbered;
  const columns = yield* threadGroup.share(() => {
    const u32 = (): Uint32Array => new Uint32Array(threadGroup.memory(txnCount * 4));
    const rank = u32();
    const session = u32();
    let order = history.fileOrder;
    if (order === undefined || !ranks(history, order, rank, session)) {
      order = u32();
      for (let i = 0; i < txnCount; i++) order[i] = i;
      ranks(history, order, rank, session);
    }
    const byPlace = {
      opStart: u32(),
      opEnd: u32(),
      session,
      live: new Uint8Array(threadGroup.memory(txnCount)),
      signature: new Int32Array(threadGroup.memory(txnCount * 8)),
    };
    return {
      order,
      rank,
      from: new Int32Array(threadGroup.memory(history.kind.length * 4)),
      byPlace,
      tally: new Int32Array(threadGroup.memory(12)),
    };
  });
  const { order, rank, from, byPlace, tally } = columns;
  const size = taskSize(history);
  const tasks = Math.ceil(txnCount / size);
  const own = { history, key, keyCount, from, ...byPlace };
  yield* threadGroup.loop(tasks, (task) => markOwnOperations(own, order, task * size, Math.min(txnCount, (task + 1) * size)));
  const count = (first: number, end: number): void => countReads(history, order, from, first, end, tally);
  const scratch = yield* findWriters(threadGroup, history, numbered, order, from, numbered.anyUnknown ? (): void => undefined : count);
  if (numbered.anyUnknown) {
    yield* threadGroup.share(() => settleUnknown(history, order, from, byPlace));
    yield* threadGroup.loop(tasks, (task) => count(task * size, Math.min(txnCount, (task + 1) * size)));
  }
  const [badReads, ambiguousReads, backward] = tally;
  let base: Base = {
    history,
    key,
    keyCount,
    from,
    txnCount,
    ...byPlace,
    order,
    rank,
    writeCount: numbered.writeCount,
    scratch,
    badReads,
    ambiguousReads,
    forward: backward === 0,
  };
  if (backward > 0) base = yield* renumber(threadGroup, base);
  const large = numbered.largest > SMALL ? yield* listLargeWriters(threadGroup, base) : undefined;
  return { ...base, large };
}

/**
 * Computes each transaction's place in the order, and each place's session. Returns false if the order contradicts
 * session order.
 */
function ranks(history: KvHistory, order: Uint32Array, rank: Uint32Array, session: Uint32Array): boolean {
  for (let i = 0; i < order.length; i++) rank[order[i]] = i;
  const { sessionStart, sessionCount } = history;
  for (let s = 0; s < sessionCount; s++) {
    let last = -1;
    for (let t = sessionStart[s], stop = sessionStart[s + 1]; t < stop; t++) {
      const i = rank[t];
      if (i < last) return false;
      last = i;
      session[i] = s;
    }
  }
  return true;
}

function countReads(history: KvHistory, order: Uint32Array, from: Int32Array, first: number, end: number, tally: Int32Array): void {
  const { opStart, opEnd, kind } = history;
  let bad = 0;
  let ambiguous = 0;
  let backward = 0;
  for (let i = first; i < end; i++) {
    const t = order[i];
    for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
      const writer = from[op];
      // A write's own 0 or 1 is later than its transaction only at the first place.
      if (writer >= i) {
        if (kind[op] !== 1) backward++;
      } else if (writer === BAD) bad++;
      else if (writer === AMBIGUOUS) ambiguous++;
    }
  }
  if (bad > 0) Atomics.add(tally, 0, bad);
  if (ambiguous > 0) Atomics.add(tally, 1, ambiguous);
  if (backward > 0) Atomics.add(tally, 2, backward);
}

type ByPlace = Pick<AwditState, 'opStart' | 'opEnd' | 'live'>;

/** A transaction of unknown outcome counts as committed if a committed one read from it. Otherwise it takes no part. */
function settleUnknown(history: KvHistory, order: Uint32Array, from: Int32Array, { opStart, opEnd, live }: ByPlace): void {
  const { kind, status } = history;
  const open: number[] = [];
  for (let v = 0; v < live.length; v++) if (live[v] === 1) open.push(v);
  for (let v = open.pop(); v !== undefined; v = open.pop()) {
    for (let op = opStart[v]; op < opEnd[v]; op++) {
      const writer = from[op];
      if (kind[op] === 1 || writer < 0 || live[writer] === 1) continue;
      live[writer] = 1;
      open.push(writer);
    }
  }
  for (let v = 0; v < live.length; v++) {
    if (live[v] === 1 || status[order[v]] !== TXN_STATUS.unknown) continue;
    for (let op = opStart[v]; op < opEnd[v]; op++) if (kind[op] !== 1) from[op] = INTERNAL;
  }
}

/**
 * Numbers the same state in a topological order of session order and write-read. The state is unchanged if there is
 * none.
 */
function* renumber(threadGroup: ThreadGroup, state: Base): Steps<Base> {
  const { txnCount, from, opStart, opEnd, session, live, signature } = state;
  const renumbered = yield* threadGroup.share(() => {
    const { order: places, complete } = topologicalOrder(state);
    if (!complete) return undefined;
    const u32 = (): Uint32Array => new Uint32Array(threadGroup.memory(txnCount * 4));
    const next = {
      order: u32(),
      rank: u32(),
      opStart: u32(),
      opEnd: u32(),
      session: u32(),
      live: new Uint8Array(threadGroup.memory(txnCount)),
      signature: new Int32Array(threadGroup.memory(txnCount * 8)),
    };
    const placeOf = u32();
    for (let v = 0; v < txnCount; v++) {
      const old = places[v];
      placeOf[old] = v;
      next.order[v] = state.order[old];
      next.rank[next.order[v]] = v;
      next.opStart[v] = opStart[old];
      next.opEnd[v] = opEnd[old];
      next.session[v] = session[old];
      next.live[v] = live[old];
      next.signature[2 * v] = signature[2 * old];
      next.signature[2 * v + 1] = signature[2 * old + 1];
    }
    return { next, placeOf };
  });
  if (renumbered === undefined) return state;
  const { next, placeOf } = renumbered;
  const { kind } = state.history;
  const size = taskSize(state.history);
  yield* threadGroup.loop(Math.ceil(txnCount / size), (task) => {
    // The loop uses the old order, in which the operations lie.
    for (let v = task * size, end = Math.min(txnCount, v + size); v < end; v++) {
      for (let op = opStart[v], stop = opEnd[v]; op < stop; op++) if (from[op] >= 0 && kind[op] !== 1) from[op] = placeOf[from[op]];
    }
  });
  return { ...state, ...next, forward: true };
}
