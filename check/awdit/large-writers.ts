/**
 * Lists the written keys of transactions of more than SMALL operations, as a list to walk and a hash table to look up.
 * With both, an intersection of two key sets costs the smaller one (AWDIT, Algorithm 1, line 15).
 */
import type { Steps, ThreadGroup } from '../threads/thread-group.ts';
import { SMALL, largeSlot } from './state.ts';
import type { AwditState, LargeWriters } from './state.ts';

export function* listLargeWriters(threadGroup: ThreadGroup, state: Omit<AwditState, 'large'>): Steps<LargeWriters> {
  const { txnCount, opStart, opEnd, key, from } = state;
  const { kind } = state.history;
  const made = yield* threadGroup.share(() => {
    const place = new Uint32Array(threadGroup.memory(txnCount * 4));
    const members: number[] = [];
    for (let t = 0; t < txnCount; t++) {
      if (opEnd[t] - opStart[t] <= SMALL) continue;
      members.push(t);
      place[t] = members.length;
    }
    const listStart = new Uint32Array(threadGroup.memory((members.length + 1) * 4));
    const tableStart = new Uint32Array(threadGroup.memory((members.length + 1) * 4));
    for (let m = 0; m < members.length; m++) {
      let count = 0;
      for (let op = opStart[members[m]]; op < opEnd[members[m]]; op++) if (kind[op] === 1 && from[op] === 1) count++;
      let capacity = 2;
      while (capacity < count * 2) capacity *= 2;
      listStart[m + 1] = listStart[m] + count;
      tableStart[m + 1] = tableStart[m] + capacity;
    }
    const list = new Int32Array(threadGroup.memory(listStart[members.length] * 4));
    const table = new Int32Array(threadGroup.memory(tableStart[members.length] * 4));
    return { members: Uint32Array.from(members), large: { place, listStart, list, tableStart, table } };
  });
  const { members, large } = made;
  const { listStart, list, tableStart, table } = large;
  yield* threadGroup.loop(members.length, (m) => {
    let at = listStart[m];
    const start = tableStart[m];
    const mask = tableStart[m + 1] - start - 1;
    for (let op = opStart[members[m]]; op < opEnd[members[m]]; op++) {
      if (kind[op] !== 1 || from[op] !== 1) continue;
      list[at++] = key[op];
      let slot = largeSlot(key[op]) & mask;
      while (table[start + slot] !== 0) slot = (slot + 1) & mask;
      table[start + slot] = key[op] + 1;
    }
  });
  return large;
}
