/**
 * (key, value) -> writer for every open read. Two ways:
 * - values of one counter (their range is a few times their number): a table addressed by the value itself;
 * - anything else: a radix-partitioned hash join. Entries (key, value, who) are scattered by hash into partitions that
 *   fit a cache, then each partition is joined through one small table that is reused. One large table instead would
 *   miss the cache on almost every access: that, not parsing, is what a checker in JavaScript spends its time on.
 * A value of a key that several committed transactions wrote makes its reads AMBIGUOUS.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { hashPair } from '../../graph/index.ts';
import type { Steps, Team } from '../threads/team.ts';
import { taskSize } from './number-keys.ts';
import type { Numbered } from './number-keys.ts';
import { AMBIGUOUS, BAD, INITIAL, OPEN } from './state.ts';

type Memory = ArrayBufferLike;

/** Fills `from` of the open reads; returns memory that it no longer needs. `done` sees the places first .. end when theirs are filled. */
export function* findWriters(team: Team, history: KvHistory, numbered: Numbered, order: Uint32Array, from: Int32Array, done: (first: number, end: number) => void): Steps<Memory> {
  const { writeCount, leastValue, greatestValue } = numbered;
  const range = greatestValue - leastValue + 1;
  if (history.valueHigh === undefined && writeCount > 0 && range <= 4 * writeCount + 65536) {
    const unique = yield* byValue(team, history, numbered, order, from, done);
    if (unique !== undefined) return unique;
  }
  return yield* byHash(team, history, numbered, order, from, done);
}

/** What a read returned whose value no write explains that may be read. */
function unwritten(history: KvHistory, op: number): number {
  if (history.kind[op] === OP.readInitial) return INITIAL;
  const zero = history.valueLow[op] === 0 && (history.valueHigh === undefined || history.valueHigh[op] === 0);
  return zero && history.initial === 'zero' ? INITIAL : BAD;
}

/** Undefined, and nothing done, when a value was written twice; else memory that is free again. */
function* byValue(team: Team, history: KvHistory, numbered: Numbered, order: Uint32Array, from: Int32Array, done: (first: number, end: number) => void): Steps<Memory | undefined> {
  const { txnCount, opStart, opEnd, kind, valueLow, status } = history;
  const { key, writeCount, leastValue, greatestValue } = numbered;
  const range = greatestValue - leastValue + 1;
  const size = taskSize(history);
  const tasks = Math.ceil(txnCount / size);
  const slices = Math.ceil(range / 65536);
  // per value: writer + 1, or -1 for a write that nobody may read; and its key
  const shared = yield* team.share(() => ({ slots: new Int32Array(team.memory(range * 8)), used: new Float64Array(team.memory(slices * 8)) }));
  const { slots, used } = shared;
  yield* team.loop(tasks, (task) => {
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
  yield* team.loop(slices, (slice) => {
    let count = 0;
    for (let v = slice * 65536, end = Math.min(range, v + 65536); v < end; v++) if (slots[v * 2] !== 0) count++;
    used[slice] = count;
  });
  let distinct = 0;
  for (let slice = 0; slice < slices; slice++) distinct += used[slice];
  if (distinct !== writeCount) return undefined;
  yield* team.loop(tasks, (task) => {
    const first = task * size;
    const end = Math.min(txnCount, first + size);
    for (let i = first; i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        if (from[op] !== OPEN) continue;
        const offset = valueLow[op] - leastValue;
        let writer = 0;
        if (kind[op] === OP.read && offset >= 0 && offset < range && slots[offset * 2 + 1] === key[op]) writer = slots[offset * 2];
        // a read from its own transaction that is still open is a read of the future
        from[op] = writer > 0 && writer - 1 !== i ? writer - 1 : unwritten(history, op);
      }
    }
    done(first, end);
  });
  return slots.buffer;
}

/** Segments of the transactions; each has its own counters, so that threads scatter without meeting. */
const SEGMENTS = 8;
const GOOD = 0;
const OVERWRITTEN = 1;
const ABORTED = 2;

function* byHash(team: Team, history: KvHistory, numbered: Numbered, order: Uint32Array, from: Int32Array, done: (first: number, end: number) => void): Steps<Memory> {
  const { txnCount, opStart, opEnd, kind, valueLow, valueHigh, status } = history;
  const { key } = numbered;
  let bits = 0;
  while (bits < 11 && history.opCount >> bits > 4096) bits++;
  const shift = 32 - bits;
  const buckets = 2 << bits; // per partition its writes, then its reads
  const width = valueHigh === undefined ? 3 : 4;
  const segment = Math.ceil(txnCount / SEGMENTS);
  const next = yield* team.share(() => new Uint32Array(team.memory(SEGMENTS * buckets * 4)));
  const partition = (op: number): number => (bits === 0 ? 0 : hashPair(valueLow[op] ^ Math.imul(valueHigh === undefined ? 0 : valueHigh[op], 668265263), key[op]) >>> shift);
  yield* team.loop(SEGMENTS, (s) => {
    const base = s * buckets;
    for (let i = s * segment, end = Math.min(txnCount, i + segment); i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) {
        const code = from[op];
        if (code >= 0 || code === OPEN) next[base + partition(op) * 2 + (code >>> 31)]++;
      }
    }
  });
  const { starts, entries } = yield* team.share(() => {
    const starts = new Uint32Array(team.memory((buckets + 1) * 4));
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
    return { starts, entries: new Int32Array(team.memory(sum * width * 4)) };
  });
  yield* team.loop(SEGMENTS, (s) => {
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
  let table = new Int32Array(1024);
  const initialZero = history.initial === 'zero';
  yield* team.loop(buckets >> 1, (p) => {
    const writes = starts[p * 2];
    const reads = starts[p * 2 + 1];
    const end = starts[p * 2 + 2];
    let capacity = 16;
    while (capacity < (reads - writes) * 2) capacity *= 2;
    if (capacity > table.length) table = new Int32Array(capacity);
    else table.fill(0, 0, capacity);
    joinPartition(entries, width, writes, reads, end, table, capacity - 1, kind, from, initialZero);
  });
  // a read of a value that the transaction itself writes later is a read of the future
  const size = taskSize(history);
  yield* team.loop(Math.ceil(txnCount / size), (task) => {
    const first = task * size;
    const end = Math.min(txnCount, first + size);
    for (let i = first; i < end; i++) {
      const t = order[i];
      for (let op = opStart[t], stop = opEnd[t]; op < stop; op++) if (from[op] === i && kind[op] !== OP.write) from[op] = unwritten(history, op);
    }
    done(first, end);
  });
  return entries.buffer;
}

function joinPartition(entries: Int32Array, width: number, writes: number, reads: number, end: number, table: Int32Array, mask: number, kind: Uint8Array, from: Int32Array, initialZero: boolean): void {
  const wide = width === 4;
  for (let w = writes; w < reads; w++) {
    const at = w * width;
    const key = entries[at];
    const value = entries[at + 1];
    const high = wide ? entries[at + 3] : 0;
    let slot = hashPair(value ^ Math.imul(high, 668265263), key) & mask;
    for (let held = table[slot]; ; held = table[slot]) {
      if (held === 0) {
        table[slot] = w + 1;
        break;
      }
      const other = (held - 1) * width;
      if (entries[other] === key && entries[other + 1] === value && (!wide || entries[other + 3] === high)) {
        entries[other + 2] = bothWrote(entries[other + 2], entries[at + 2]);
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  for (let r = reads; r < end; r++) {
    const at = r * width;
    const key = entries[at];
    const value = entries[at + 1];
    const op = entries[at + 2];
    const high = wide ? entries[at + 3] : 0;
    let code = BAD;
    if (kind[op] === OP.readInitial) code = INITIAL;
    else {
      let slot = hashPair(value ^ Math.imul(high, 668265263), key) & mask;
      for (let held = table[slot]; ; held = table[slot]) {
        if (held === 0) break;
        const writer = (held - 1) * width;
        if (entries[writer] === key && entries[writer + 1] === value && (!wide || entries[writer + 3] === high)) {
          const who = entries[writer + 2];
          if (who === AMBIGUOUS) code = AMBIGUOUS;
          else if ((who & 3) === GOOD) code = who >> 2;
          break;
        }
        slot = (slot + 1) & mask;
      }
      if (code === BAD && initialZero && value === 0 && high === 0) code = INITIAL;
    }
    from[op] = code;
  }
}

/** Who is read when two writes have one key and value: within a transaction the better one; else a committed one, if only one is. */
function bothWrote(a: number, b: number): number {
  if (a === AMBIGUOUS || b === AMBIGUOUS) return AMBIGUOUS;
  if (a >> 2 === b >> 2) return Math.min(a, b);
  if ((a & 3) === ABORTED) return b;
  if ((b & 3) === ABORTED) return a;
  return AMBIGUOUS;
}
