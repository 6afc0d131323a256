/**
 * Finds for every probe the build entry with the same pair of 64-bit numbers. It is a hash join in partitions that fit
 * the cache. One big table loses its time to random memory access: it is three times slower at eight million entries.
 * Entries are therefore scattered by hash into at most 2048 partitions, and each partition is joined through one small
 * table. O(entries), 12 bytes an entry besides the columns. Second numbers from one counter need no hash: see
 * pair-join-direct.ts.
 */
import type { PairColumns, PairJoin } from './pair-columns.ts';
import { joinDirect } from './pair-join-direct.ts';

/** The number of entries of a partition. They and their table stay in the second-level cache. */
const PARTITION = 8192;

/**
 * A probe that matches nothing gets a default in two cases. A role-2 probe always gets one, and its second number is
 * not looked at. A role-0 probe gets one when `zeroIsDefault` holds and its second number is 0. All defaults of one
 * first number share one entry.
 */
export function joinPairs(columns: PairColumns, zeroIsDefault: boolean): PairJoin {
  const direct = joinDirect(columns, zeroIsDefault);
  if (direct !== undefined) return direct;
  const n = columns.count;
  let bits = 0;
  while (bits < 11 && n >> bits > PARTITION) bits++;
  const partitions = 1 << bits;
  const shift = bits === 0 ? 31 : 32 - bits; // with one partition any shift will do: the result is masked
  const starts = new Uint32Array(2 * partitions + 1);
  countEntries(columns, starts, shift, partitions - 1);
  let largest = 0;
  for (let p = 0; p < partitions; p++) largest = Math.max(largest, starts[2 * p + 2] - starts[2 * p]);
  let size = 16;
  while (size < 2 * largest) size *= 2;
  const entries = new Int32Array(3 * n);
  scatterEntries(columns, starts.slice(0, 2 * partitions), entries, shift, partitions - 1);
  const join: Join = {
    columns,
    zeroIsDefault,
    wide: columns.firstHigh !== undefined || columns.secondHigh !== undefined,
    entries,
    table: new Int32Array(size),
    match: new Int32Array(n),
    duplicates: [],
  };
  for (let p = 0; p < partitions; p++) joinPartition(join, 3 * starts[2 * p], 3 * starts[2 * p + 1], 3 * starts[2 * p + 2]);
  return join;
}

// Each function has one long loop. The engine compiles a function with several long loops, and discards the result,
// once for each loop.

interface Join extends PairJoin {
  readonly columns: PairColumns;
  readonly zeroIsDefault: boolean;
  readonly wide: boolean;
  /** Three numbers an entry: index (~index: default only), first and second number. */
  readonly entries: Int32Array;
  /** Each slot holds a place in `entries` + 1. */
  readonly table: Int32Array;
  readonly duplicates: [number, number][];
}

/**
 * Counts the build entries and probes of each partition, then computes where they begin. Build entries stand before
 * probes.
 */
function countEntries(
  { count, role, firstLow, firstHigh, secondLow }: PairColumns,
  starts: Uint32Array,
  shift: number,
  last: number,
): void {
  for (let i = 0; i < count; i++) {
    const h = hash(firstLow[i], firstHigh === undefined ? 0 : firstHigh[i], role[i] === 2 ? 0 : secondLow[i]);
    starts[2 * ((h >>> shift) & last) + (role[i] === 1 ? 0 : 1) + 1]++;
  }
  for (let p = 0; p + 1 < starts.length; p++) starts[p + 1] += starts[p];
}

function scatterEntries(
  { count, role, firstLow, firstHigh, secondLow }: PairColumns,
  next: Uint32Array,
  entries: Int32Array,
  shift: number,
  last: number,
): void {
  for (let i = 0; i < count; i++) {
    const second = role[i] === 2 ? 0 : secondLow[i];
    const h = hash(firstLow[i], firstHigh === undefined ? 0 : firstHigh[i], second);
    const at = 3 * next[2 * ((h >>> shift) & last) + (role[i] === 1 ? 0 : 1)]++;
    entries[at] = role[i] === 2 ? ~i : i;
    entries[at + 1] = firstLow[i];
    entries[at + 2] = second;
  }
}

function joinPartition(join: Join, from: number, middle: number, to: number): void {
  let width = 16;
  while (3 * width < 2 * (to - from)) width *= 2;
  join.table.fill(0, 0, width);
  buildTable(join, from, middle, width - 1);
  probeTable(join, middle, to, width - 1);
}

/** Enters the build entries from .. middle. Two with the same pair are duplicates. */
function buildTable(join: Join, from: number, middle: number, mask: number): void {
  const { entries, table, duplicates, wide, columns } = join;
  const { firstHigh } = columns;
  for (let e = from; e < middle; e += 3) {
    const i = entries[e];
    const first = entries[e + 1];
    const second = entries[e + 2];
    let slot = hash(first, firstHigh === undefined ? 0 : firstHigh[i], second) & mask;
    let f = table[slot] - 1;
    for (; f >= 0; f = table[slot] - 1) {
      if (entries[f + 1] === first && entries[f + 2] === second && (!wide || sameHigh(columns, i, entries[f]))) break;
      slot = (slot + 1) & mask;
    }
    if (f >= 0) duplicates.push([i, entries[f]]);
    else table[slot] = e + 1;
  }
}

/** Looks up the probes middle .. to, and enters those that are the default of their first number. */
function probeTable(join: Join, middle: number, to: number, mask: number): void {
  const { entries, table, match, wide, zeroIsDefault, columns } = join;
  const { firstHigh, secondHigh } = columns;
  for (let e = middle; e < to; e += 3) {
    const onlyDefault = entries[e] < 0;
    const i = onlyDefault ? ~entries[e] : entries[e];
    const first = entries[e + 1];
    const second = entries[e + 2];
    let slot = hash(first, firstHigh === undefined ? 0 : firstHigh[i], second) & mask;
    let fallback = -1;
    let found = -1;
    for (let f = table[slot] - 1; f >= 0; slot = (slot + 1) & mask, f = table[slot] - 1) {
      if (entries[f + 1] !== first || entries[f + 2] !== second) continue;
      const j = entries[f] < 0 ? ~entries[f] : entries[f];
      if (wide && !sameHigh(columns, i, j)) continue;
      if (f >= middle) fallback = j;
      else if (!onlyDefault) {
        found = j;
        break;
      }
    }
    if (found < 0) {
      if (fallback < 0 && (onlyDefault || (zeroIsDefault && second === 0 && (secondHigh === undefined || secondHigh[i] === 0)))) {
        fallback = i;
        table[slot] = e + 1;
      }
      found = fallback;
    }
    match[i] = found;
  }
}

function sameHigh({ role, firstHigh, secondLow, secondHigh }: PairColumns, i: number, j: number): boolean {
  if (firstHigh !== undefined && firstHigh[i] !== firstHigh[j]) return false;
  const a = role[i] === 2 ? 0 : secondHigh === undefined ? secondLow[i] >> 31 : secondHigh[i];
  const b = role[j] === 2 ? 0 : secondHigh === undefined ? secondLow[j] >> 31 : secondHigh[j];
  return a === b;
}

function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}
