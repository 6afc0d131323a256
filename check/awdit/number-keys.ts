/**
 * Turns keys into small integers. Most histories have such keys already, which stay. Other keys are numbered in order
 * of appearance. It also finds the range of the written values, which decides how reads find their writers
 * (find-writers.ts).
 */
import { OP } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { PairTable } from '../../graph/index.ts';
import type { Steps, ThreadGroup } from '../threads/thread-group.ts';

export interface Numbered {
  readonly key: Int32Array;
  readonly keyCount: number;
  readonly writeCount: number;
  /** The least and greatest value written. They have no meaning if some value needs 64 bits. */
  readonly leastValue: number;
  readonly greatestValue: number;
  readonly anyUnknown: boolean;
  readonly largest: number;
}

/**
 * Returns the number of transactions per task of a parallel loop, by their mean length. It is low enough that every
 * thread gets a share of long ones. It also lets code that runs once per task be compiled soon in a short file.
 */
export function taskSize({ txnCount, opCount }: KvHistory): number {
  return Math.max(1, Math.min(1024, Math.ceil((8192 * txnCount) / Math.max(1, opCount))));
}

const WORDS = 8;

export function* numberKeys(threadGroup: ThreadGroup, history: KvHistory): Steps<Numbered> {
  const { txnCount, opStart, opEnd, kind, keyLow, keyHigh, valueLow, status } = history;
  const order = history.fileOrder;
  const size = taskSize(history);
  const tasks = Math.ceil(txnCount / size);
  const seen = yield* threadGroup.share(() => new Float64Array(threadGroup.memory(Math.max(1, tasks) * WORDS * 8)));
  yield* threadGroup.loop(tasks, (task) => {
    let leastKey = 0;
    let greatestKey = 0;
    let least = 2147483647;
    let greatest = -2147483648;
    let writes = 0;
    let unknown = 0;
    let largest = 0;
    for (let i = task * size, end = Math.min(txnCount, i + size); i < end; i++) {
      const t = order === undefined ? i : order[i];
      if (status[t] === 0) unknown = 1;
      if (opEnd[t] - opStart[t] > largest) largest = opEnd[t] - opStart[t];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        const key = keyLow[op];
        if (key > greatestKey) greatestKey = key;
        else if (key < leastKey) leastKey = key;
        if (kind[op] === OP.write) {
          const value = valueLow[op];
          writes++;
          if (value < least) least = value;
          if (value > greatest) greatest = value;
        }
      }
    }
    seen.set([leastKey, greatestKey, least, greatest, writes, unknown, largest], task * WORDS);
  });
  return yield* threadGroup.share(() => {
    const least = (word: number): number => fold(seen, word, tasks, Math.min, 2147483647);
    const greatest = (word: number): number => fold(seen, word, tasks, Math.max, -2147483648);
    const small = keyHigh === undefined && least(0) === 0 && greatest(1) < 4 * history.opCount + 65536;
    const numbered = small ? { key: keyLow, keyCount: Math.max(0, greatest(1)) + 1 } : internKeys(threadGroup, history);
    const writeCount = fold(seen, 4, tasks, (a, b) => a + b, 0);
    return {
      ...numbered,
      writeCount,
      leastValue: least(2),
      greatestValue: greatest(3),
      anyUnknown: greatest(5) === 1,
      largest: Math.max(0, greatest(6)),
    };
  });
}

function fold(seen: Float64Array, word: number, tasks: number, join: (a: number, b: number) => number, start: number): number {
  let result = start;
  for (let task = 0; task < tasks; task++) result = join(result, seen[task * WORDS + word]);
  return result;
}

function internKeys(threadGroup: ThreadGroup, history: KvHistory): { key: Int32Array; keyCount: number } {
  const { txnCount, opStart, opEnd, keyLow, keyHigh } = history;
  const table = new PairTable(1024);
  const key = new Int32Array(threadGroup.memory(keyLow.length * 4));
  for (let i = 0; i < txnCount; i++) {
    const t = history.fileOrder === undefined ? i : history.fileOrder[i];
    for (let op = opStart[t], end = opEnd[t]; op < end; op++)
      key[op] = table.add(keyLow[op], keyHigh === undefined ? keyLow[op] >> 31 : keyHigh[op]);
  }
  return { key, keyCount: table.size };
}
