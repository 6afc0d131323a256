/**
 * Finds the writer of (key, value) for every open read. There are two ways:
 * - Values from one counter, whose range is a few times their number, use a table addressed by the value itself.
 * - Other values use a radix-partitioned hash join. Entries (key, value, transaction) are scattered by hash into
 * partitions that fit a cache. Each partition is then joined through one small table that is reused. One large table
 * would miss the cache on almost every access, which costs a checker in JavaScript more time than parsing. If several
 * committed transactions wrote one value of a key, its reads become AMBIGUOUS.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { hashPair } from '../../graph/index.ts';
import type { Steps, ThreadGroup } from '../threads/thread-group.ts';
import { taskSize } from './number-keys.ts';
import type { Numbered } from './number-keys.ts';
import { AMBIGUOUS, BAD, INITIAL, OPEN } from './state.ts';

type Memory = ArrayBufferLike;

/**
 * Fills `from` of the open reads, and returns memory that it no longer needs. `done` gets the places first .. end when
 * theirs are filled.
 */
export function* findWriters(
  threadGroup: ThreadGroup,
  history: KvHistory,
  numbered: Numbered,
  order: Uint32Array,
  from: Int32Array,
  done: (first: number, end: number) => void,
): Steps<Memory> {
  const { writeCount, leastValue, greatestValue } = numbered;
  const range = greatestValue - leastValue + 1;
  if (history.valueHigh === undefined && writeCount > 0 && range <= 4 * writeCount + 65536) {
    const unique = yield* byValue(threadGroup, history, numbered, order, from, done);
    if (unique !== undefined) return unique;
  }
  return yield* byHash(threadGroup, history, numbered, order, from, done);
}

/** Returns the code of a read whose value no readable write explains. */
function unwritten(history: KvHistory, op: number): number {
  if (history.kind[op] === OP.readInitial) return INITIAL;
  const zero = history.valueLow[op] === 0 && (history.valueHigh === undefined || history.valueHigh[op] === 0);
  return zero && history.initial === 'zero' ? INITIAL : BAD;
}

/** Returns undefined, without any effect, if a value was written twice. Otherwise returns memory that is free again. */
function* byValue(
  threadGroup: ThreadGroup,
  history: KvHistory,
  numbered: Numbered,
  order: Uint32Array,
  from: Int32Array,
  done: (first: number, end: number) => void,
): Steps<Memory | undefined> {
  const { txnCount, opStart, opEnd, kind, valueLow, status } = history;
  const { key, writeCount, leastValue, greatestValue } = numbered;
  const range = greatestValue - leastValue + 1;
  const size = taskSize(history);
  const tasks = Math.ceil(txnCount / size);
  const slices = Math.ceil(range / 65536);
  // For each value, `slots` holds writer + 1 (-1 for a write that no transaction may read) and its key.
  const shared = yield* threadGroup.share(() => ({
    slots: new Int32Array(threadGroup.memory(range * 8)),
    used: new Float64Array(threadGroup.memory(slices * 8)),
  }));
  const { slots, used } = shared;
  yield* threadGroup.loop(tasks, (task) => {
    for (let i = task * size, end = Math.min(txnCount, i + size); i < end; i++) {
      const t = order[i];
      const good = status[t] !== TXN_STATUS.aborted;
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        if (kind[op] !== OP.write) continue;
        const slot = (valueLow[op] - leastValue) * 2;
        slots[slot] = good && from[op] === 1 ? i + 1 : -1;
        slots[slot + 1] = key[op];
      }
    }
  });
  yield* threadGroup.loop(slices, (slice) => {
    let count = 0;
    for (let v = slice * 65536, end = Math.min(range, v + 65536); v < end; v++) if (slots[v * 2] !== 0) count++;
    used[slice] = count;
  });
  let distinct = 0;
  for (let slice = 0; slice < slices; slice++) distinct += used[slice];
  if (distinct !== writeCount) return undefined;
  yield* threadGroup.loop(tasks, (task) => {
    const first = task * size;
    const end = Math.min(txnCount, first + size);
    for (let i = first; i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        if (from[op] !== OPEN) continue;
        const offset = valueLow[op] - leastValue;
        let writer = 0;
        if (kind[op] === OP.read && offset >= 0 && offset < range && slots[offset * 2 + 1] === key[op]) writer = slots[offset * 2];
        // A read from its own transaction that is still open is a read of the future.
        from[op] = writer > 0 && writer - 1 !== i ? writer - 1 : unwritten(history, op);
      }
    }
    done(first, end);
  });
  return slots.buffer;
}

/** The number of segments of the transactions. Each has its own counters, so that threads scatter without conflicts. */
const SEGMENTS = 8;
const GOOD = 0;
const OVERWRITTEN = 1;
const ABORTED = 2;

function* byHash(
  threadGroup: ThreadGroup,
  history: KvHistory,
  numbered: Numbered,
  order: Uint32Array,
  from: Int32Array,
  done: (first: number, end: number) => void,
): Steps<Memory> {
  const join = partitioned(history, numbered.key, order, from);
  const { starts, entries } = yield* scatterEntries(threadGroup, join);
  let table = new Int32Array(1024);
  yield* threadGroup.loop(join.buckets >> 1, (p) => {
    const writes = starts[p * 2];
    const reads = starts[p * 2 + 1];
    let capacity = 16;
    while (capacity < (reads - writes) * 2) capacity *= 2;
    if (capacity > table.length) table = new Int32Array(capacity);
    else table.fill(0, 0, capacity);
    enterWrites(entries, join.width, writes, reads, table, capacity - 1);
    answerReads(entries, join, reads, starts[p * 2 + 2], table, capacity - 1);
  });
  yield* dropFutureReads(threadGroup, join, done);
  return entries.buffer;
}

interface HashJoin {
  readonly history: KvHistory;
  readonly key: Int32Array;
  readonly order: Uint32Array;
  readonly from: Int32Array;
  /** Each partition holds its writes, then its reads. */
  readonly buckets: number;
  /** An entry holds these numbers: key, value, transaction, and the high half of a wide value. */
  readonly width: 3 | 4;
  /** The number of transactions of a segment. */
  readonly segment: number;
  readonly partition: (op: number) => number;
}

function partitioned(history: KvHistory, key: Int32Array, order: Uint32Array, from: Int32Array): HashJoin {
  const { valueLow, valueHigh } = history;
  let bits = 0;
  while (bits < 11 && history.opCount >> bits > 4096) bits++;
  const shift = 32 - bits;
  return {
    history,
    key,
    order,
    from,
    buckets: 2 << bits,
    width: valueHigh === undefined ? 3 : 4,
    segment: Math.ceil(history.txnCount / SEGMENTS),
    partition: (op) =>
      bits === 0 ? 0 : hashPair(valueLow[op] ^ Math.imul(valueHigh === undefined ? 0 : valueHigh[op], 668265263), key[op]) >>> shift,
  };
}

/** Scatters final writes and open reads by partition. Each segment counts its own, then puts them where they belong. */
function* scatterEntries(threadGroup: ThreadGroup, join: HashJoin): Steps<{ readonly starts: Uint32Array; readonly entries: Int32Array }> {
  const { history, key, order, from, buckets, width, segment, partition } = join;
  const { txnCount, opStart, opEnd, valueLow, valueHigh, status } = history;
  const next = yield* threadGroup.share(() => new Uint32Array(threadGroup.memory(SEGMENTS * buckets * 4)));
  yield* threadGroup.loop(SEGMENTS, (s) => {
    const base = s * buckets;
    for (let i = s * segment, end = Math.min(txnCount, i + segment); i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        const code = from[op];
        if (code >= 0 || code === OPEN) next[base + partition(op) * 2 + (code >>> 31)]++;
      }
    }
  });
  const scattered = yield* threadGroup.share(() => {
    const starts = startsOf(next, buckets, new Uint32Array(threadGroup.memory((buckets + 1) * 4)));
    return { starts, entries: new Int32Array(threadGroup.memory(starts[buckets] * width * 4)) };
  });
  const { entries } = scattered;
  yield* threadGroup.loop(SEGMENTS, (s) => {
    const base = s * buckets;
    for (let i = s * segment, end = Math.min(txnCount, i + segment); i < end; i++) {
      const t = order[i];
      const aborted = status[t] === TXN_STATUS.aborted;
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        const code = from[op];
        if (code < 0 && code !== OPEN) continue;
        const at = next[base + partition(op) * 2 + (code >>> 31)]++ * width;
        entries[at] = key[op];
        entries[at + 1] = valueLow[op];
        entries[at + 2] = code < 0 ? op : i * 4 + (aborted ? ABORTED : code === 1 ? GOOD : OVERWRITTEN);
        if (width === 4) entries[at + 3] = valueHigh === undefined ? 0 : valueHigh[op];
      }
    }
  });
  return scattered;
}

/** Writes into `starts` where each bucket begins. Each segment's counts become the places of its own first entries. */
function startsOf(next: Uint32Array, buckets: number, starts: Uint32Array): Uint32Array {
  let sum = 0;
  for (let b = 0; b < buckets; b++) {
    starts[b] = sum;
    for (let s = 0; s < SEGMENTS; s++) {
      const count = next[s * buckets + b];
      next[s * buckets + b] = sum;
      sum += count;
    }
  }
  starts[buckets] = sum;
  return starts;
}

/** A read of a value that the transaction itself writes later is a read of the future. */
function* dropFutureReads(
  threadGroup: ThreadGroup,
  { history, order, from }: HashJoin,
  done: (first: number, end: number) => void,
): Steps<void> {
  const { txnCount, opStart, opEnd, kind } = history;
  const size = taskSize(history);
  yield* threadGroup.loop(Math.ceil(txnCount / size), (task) => {
    const first = task * size;
    const end = Math.min(txnCount, first + size);
    for (let i = first; i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++)
        if (from[op] === i && kind[op] !== OP.write) from[op] = unwritten(history, op);
    }
    done(first, end);
  });
}

function enterWrites(entries: Int32Array, width: number, writes: number, reads: number, table: Int32Array, mask: number): void {
  for (let w = writes; w < reads; w++) {
    const slot = slotOf(entries, width, w * width, table, mask);
    const held = table[slot];
    if (held === 0) table[slot] = w + 1;
    else entries[(held - 1) * width + 2] = bothWrote(entries[(held - 1) * width + 2], entries[w * width + 2]);
  }
}

function answerReads(
  entries: Int32Array,
  { history, from, width }: HashJoin,
  reads: number,
  end: number,
  table: Int32Array,
  mask: number,
): void {
  const { kind } = history;
  const initialZero = history.initial === 'zero';
  for (let r = reads; r < end; r++) {
    const at = r * width;
    const op = entries[at + 2];
    let code = BAD;
    if (kind[op] === OP.readInitial) code = INITIAL;
    else {
      const held = table[slotOf(entries, width, at, table, mask)];
      const who = held === 0 ? OVERWRITTEN : entries[(held - 1) * width + 2];
      if (who === AMBIGUOUS) code = AMBIGUOUS;
      else if ((who & 3) === GOOD) code = who >> 2;
      if (code === BAD && initialZero && entries[at + 1] === 0 && (width === 3 || entries[at + 3] === 0)) code = INITIAL;
    }
    from[op] = code;
  }
}

/** Returns the slot of the write with the key and value of the entry at `at`, or the empty slot where it would be. */
function slotOf(entries: Int32Array, width: number, at: number, table: Int32Array, mask: number): number {
  const wide = width === 4;
  const key = entries[at];
  const value = entries[at + 1];
  const high = wide ? entries[at + 3] : 0;
  let slot = hashPair(value ^ Math.imul(high, 668265263), key) & mask;
  for (let held = table[slot]; held !== 0; held = table[slot]) {
    const other = (held - 1) * width;
    if (entries[other] === key && entries[other + 1] === value && (!wide || entries[other + 3] === high)) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

/**
 * Chooses the writer if two writes have one key and value. Within a transaction it is the better one, otherwise the
 * committed one if there is only one.
 */
function bothWrote(a: number, b: number): number {
  if (a === AMBIGUOUS || b === AMBIGUOUS) return AMBIGUOUS;
  if (a >> 2 === b >> 2) return Math.min(a, b);
  if ((a & 3) === ABORTED) return b;
  if ((b & 3) === ABORTED) return a;
  return AMBIGUOUS;
}
