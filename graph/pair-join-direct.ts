/**
 * A faster form of the join of pair-join.ts. It applies where the second numbers of the build entries come from one
 * counter and everything fits 32 bits. They are then all different, and their range is a few times their number. The
 * table is addressed by the second number itself. Entries near each other in the columns have numbers near each other,
 * so the table is walked almost in order. O(entries), 4 bytes per number of the range.
 */
import type { PairColumns, PairJoin } from './pair-columns.ts';

interface Ranges {
  builds: number;
  /** The number of probes for the default only. */
  defaults: number;
  leastFirst: number;
  greatestFirst: number;
  leastSecond: number;
  greatestSecond: number;
}

/** Returns undefined if the columns are not of that kind. */
export function joinDirect(columns: PairColumns, zeroIsDefault: boolean): PairJoin | undefined {
  const { count, firstHigh, secondHigh } = columns;
  if (firstHigh !== undefined || secondHigh !== undefined) return undefined;
  const { builds, defaults, leastFirst, greatestFirst, leastSecond, greatestSecond } = rangesOf(columns);
  const range = greatestSecond - leastSecond + 1;
  const firsts = greatestFirst - leastFirst + 1;
  if (builds === 0 || defaults > 0 || range > 4 * builds + 1024 || firsts > 4 * count + 1024) return undefined;
  const table = new Int32Array(range); // build entry + 1
  if (!fillTable(columns, table, leastSecond)) return undefined;
  const match = new Int32Array(count);
  // One entry per first number: its first default probe + 1.
  findMatches(columns, table, leastSecond, zeroIsDefault ? new Int32Array(firsts) : undefined, leastFirst, match);
  return { match, duplicates: [] };
}

// Each function has one long loop. The engine compiles a function with several long loops, and discards the result,
// once for each loop.

function rangesOf({ count, role, firstLow, secondLow }: PairColumns): Ranges {
  let builds = 0;
  let defaults = 0;
  let leastFirst = 2147483647;
  let greatestFirst = -2147483648;
  let leastSecond = 2147483647;
  let greatestSecond = -2147483648;
  for (let i = 0; i < count; i++) {
    const first = firstLow[i];
    if (first < leastFirst) leastFirst = first;
    if (first > greatestFirst) greatestFirst = first;
    if (role[i] !== 1) {
      if (role[i] === 2) defaults++;
      continue;
    }
    builds++;
    const second = secondLow[i];
    if (second < leastSecond) leastSecond = second;
    if (second > greatestSecond) greatestSecond = second;
  }
  return { builds, defaults, leastFirst, greatestFirst, leastSecond, greatestSecond };
}

/** Returns false if two build entries have the same second number. */
function fillTable({ count, role, secondLow }: PairColumns, table: Int32Array, least: number): boolean {
  for (let i = 0; i < count; i++) {
    if (role[i] !== 1) continue;
    if (table[secondLow[i] - least] !== 0) return false;
    table[secondLow[i] - least] = i + 1;
  }
  return true;
}

function findMatches(
  { count, role, firstLow, secondLow }: PairColumns,
  table: Int32Array,
  least: number,
  defaults: Int32Array | undefined,
  leastFirst: number,
  match: Int32Array,
): void {
  const range = table.length;
  for (let i = 0; i < count; i++) {
    if (role[i] === 1) continue;
    const place = secondLow[i] - least;
    const found = place >= 0 && place < range ? table[place] - 1 : -1;
    if (found >= 0 && firstLow[found] === firstLow[i]) match[i] = found;
    else if (secondLow[i] !== 0 || defaults === undefined) match[i] = -1;
    else {
      const slot = firstLow[i] - leastFirst;
      if (defaults[slot] === 0) defaults[slot] = i + 1;
      match[i] = defaults[slot] - 1;
    }
  }
}
