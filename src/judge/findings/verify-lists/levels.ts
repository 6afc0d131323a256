/**
 * These tables say which cycles and reads each level forbids, and which level includes which. They are written down a second time
 * (Adya 1999, Bailis et al. 2013, Cerone and Gotsman 2016, Biswas and Enea 2019; docs/CHECKERS.md).
 */
import type { BadReadClass } from '../../../../core/index.ts';
import type { DerivedEdge } from './edge.ts';

/** The levels that are weaker by one step. */
const WEAKER: Readonly<Record<string, readonly string[]>> = {
  'read-uncommitted': [],
  'read-committed': ['read-uncommitted'],
  'monotonic-atomic-view': ['read-committed'],
  'cursor-stability': ['read-committed'],
  'consistent-view': ['monotonic-atomic-view'],
  'repeatable-read': ['cursor-stability', 'monotonic-atomic-view'],
  'snapshot-isolation': ['consistent-view', 'cursor-stability'],
  serializable: ['repeatable-read', 'snapshot-isolation'],
  'strict-serializable': ['serializable', 'cc'],
  rc: [],
  ra: ['rc'],
  cc: ['ra'],
};

type Cycle = readonly DerivedEdge[];

/** The cycles that the level itself forbids. */
const CYCLES: Readonly<Record<string, (cycle: Cycle) => boolean>> = {
  'read-uncommitted': (cycle) => only(cycle, ['ww']),
  'read-committed': (cycle) => only(cycle, ['ww', 'wr']),
  'monotonic-atomic-view': vanishes,
  'cursor-stability': (cycle) =>
    only(cycle, ['ww', 'rw']) && antis(cycle) === 1 && cycle.every(({ key }) => key !== undefined && key === cycle[0]?.key),
  'consistent-view': (cycle) => untimed(cycle) && antis(cycle) <= 1,
  'repeatable-read': untimed,
  'snapshot-isolation': (cycle) =>
    untimed(cycle) && !cycle.some(({ rel }, i) => rel === 'rw' && cycle[(i + 1) % cycle.length]?.rel === 'rw'),
  serializable: untimed,
  'strict-serializable': () => true,
  rc: (cycle) => cycle.every(({ rel, direct }) => rel === 'so' || (rel === 'wr' && direct === true)),
};

const READS: Readonly<Record<BadReadClass, readonly string[]>> = {
  G1a: ['read-committed', 'rc'],
  G1b: ['read-committed', 'rc'],
  internal: ['read-uncommitted', 'rc'],
  'thin-air': ['read-uncommitted', 'rc'],
  fork: ['read-uncommitted'],
  'duplicate-write': ['read-uncommitted'],
};

export function forbidsCycle(level: string, cycle: Cycle): boolean {
  return included(level).some((each) => CYCLES[each]?.(cycle) === true);
}

export function forbidsRead(level: string, name: BadReadClass): boolean {
  return included(level).some((each) => READS[name].includes(each));
}

/** Returns the level and all weaker ones; none for an unknown level. */
function included(level: string): readonly string[] {
  const weaker = Object.hasOwn(WEAKER, level) ? WEAKER[level] : undefined;
  return weaker === undefined ? [] : [level, ...weaker.flatMap(included)];
}

function only(cycle: Cycle, rels: readonly string[]): boolean {
  return cycle.every(({ rel }) => rels.includes(rel));
}

function untimed(cycle: Cycle): boolean {
  return only(cycle, ['ww', 'wr', 'rw']);
}

function antis(cycle: Cycle): number {
  return cycle.filter(({ rel }) => rel === 'rw').length;
}

/** True if a transaction reads a version of another, and afterwards a list without an append of the same one (Bailis et al., OTV). */
function vanishes(cycle: Cycle): boolean {
  const [unseen, seen] = [cycle.find(({ rel }) => rel === 'rw'), cycle.find(({ rel }) => rel === 'wr')];
  if (unseen?.read === undefined || seen?.read === undefined || seen.direct !== true) return false;
  const between = cycle.filter((edge) => edge !== unseen && edge !== seen);
  return seen.to === unseen.from && unseen.read > seen.read && between.every(({ rel, key }) => rel === 'ww' && key === unseen.key);
}
