/**
 * History -> AwditState: keys numbered, every read given its writer. One pass over the file's order per step, all
 * steps by the whole team.
 */
import { TXN_STATUS } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import type { Steps, Team } from '../kv/team.ts';
import { findWriters } from './find-writers.ts';
import { listLargeWriters } from './large-writers.ts';
import { TASK, numberKeys } from './number-keys.ts';
import { markOwnOperations } from './own-operations.ts';
import { AMBIGUOUS, BAD, INTERNAL, SMALL } from './state.ts';
import type { AwditState } from './state.ts';

export function* prepare(team: Team, history: KvHistory): Steps<AwditState> {
  const { txnCount, opStart, opEnd, kind } = history;
  const numbered = yield* numberKeys(team, history);
  const { key, keyCount } = numbered;
  const columns = yield* team.share(() => {
    const i32 = (n: number): Int32Array => new Int32Array(team.memory(n * 4));
    const rank = new Uint32Array(team.memory(txnCount * 4));
    let order = history.fileOrder;
    if (order === undefined || !ranks(history, order, rank)) {
      order = identity(team, txnCount);
      ranks(history, order, rank);
    }
    const from = i32(history.kind.length);
    return { order, rank, from, signature: i32(txnCount), live: new Uint8Array(team.memory(txnCount)) };
  });
  const { order, rank, from, signature, live } = columns;
  const tasks = Math.ceil(txnCount / TASK);
  yield* team.loop(tasks, (task) => {
    markOwnOperations({ history, key, keyCount, from, signature }, order, task * TASK, Math.min(txnCount, (task + 1) * TASK));
  });
  yield* findWriters(team, history, numbered, order, from);
  yield* team.share(() => {
    settleUnknown(history, from, live, numbered.anyUnknown);
    return 0;
  });
  const failures = yield* team.share(() => new Int32Array(team.memory(12)));
  yield* team.loop(tasks, (task) => {
    let bad = 0;
    let ambiguous = 0;
    let backward = 0;
    for (let i = task * TASK, end = Math.min(txnCount, i + TASK); i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        const writer = from[op];
        if (writer >= 0) {
          if (kind[op] !== 1 && rank[writer] >= i) backward++;
        } else if (writer === BAD) bad++;
        else if (writer === AMBIGUOUS) ambiguous++;
      }
    }
    if (bad > 0) Atomics.add(failures, 0, bad);
    if (ambiguous > 0) Atomics.add(failures, 1, ambiguous);
    if (backward > 0) Atomics.add(failures, 2, backward);
  });
  const state = { history, key, keyCount, from, signature, live, order, rank, badReads: failures[0], ambiguousReads: failures[1], backwardReads: failures[2] };
  const large = numbered.largest > SMALL ? yield* listLargeWriters(team, history, key, from) : undefined;
  return { ...state, large };
}

function identity(team: Team, count: number): Uint32Array {
  const order = new Uint32Array(team.memory(count * 4));
  for (let i = 0; i < count; i++) order[i] = i;
  return order;
}

/** Each transaction's place in the order; false if the order contradicts session order. */
function ranks(history: KvHistory, order: Uint32Array, rank: Uint32Array): boolean {
  for (let i = 0; i < order.length; i++) rank[order[i]] = i;
  const { sessionStart, sessionCount } = history;
  for (let s = 0; s < sessionCount; s++) {
    for (let t = sessionStart[s] + 1; t < sessionStart[s + 1]; t++) if (rank[t] <= rank[t - 1]) return false;
  }
  return true;
}

/** Transactions of unknown outcome count as committed when a committed one read from them; the others vanish. */
function settleUnknown(history: KvHistory, from: Int32Array, live: Uint8Array, anyUnknown: boolean): void {
  const { txnCount, status, opStart, opEnd, kind } = history;
  for (let t = 0; t < txnCount; t++) live[t] = status[t] === TXN_STATUS.committed ? 1 : 0;
  if (!anyUnknown) return;
  const open: number[] = [];
  for (let t = 0; t < txnCount; t++) if (live[t] === 1) open.push(t);
  for (let t = open.pop(); t !== undefined; t = open.pop()) {
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      const writer = from[op];
      if (kind[op] === 1 || writer < 0 || live[writer] === 1) continue;
      live[writer] = 1;
      open.push(writer);
    }
  }
  for (let t = 0; t < txnCount; t++) {
    if (live[t] === 1 || status[t] !== TXN_STATUS.unknown) continue;
    for (let op = opStart[t]; op < opEnd[t]; op++) if (kind[op] !== 1) from[op] = INTERNAL;
  }
}
