/**
 * Isolation levels and their order, as data. A level's row cites its definition, and check/cycles/levels.ts says what
 * it forbids. `snapshot-isolation` and Adya's `repeatable-read` (PL-2.99) are incomparable. AWDIT decides `rc`, `ra`
 * and `cc`, the levels of Biswas and Enea (OOPSLA 2019). They include session order, so `rc` is not `read-committed`.
 */
export type Level =
  | 'read-uncommitted'
  | 'read-committed'
  | 'monotonic-atomic-view'
  | 'cursor-stability'
  | 'consistent-view'
  | 'repeatable-read'
  | 'snapshot-isolation'
  | 'serializable'
  | 'strict-serializable'
  | 'rc'
  | 'ra'
  | 'cc';

/** The levels of Biswas and Enea that AWDIT decides, weakest first. */
export type AwditLevel = 'rc' | 'ra' | 'cc';
export const AWDIT_LEVELS: readonly AwditLevel[] = ['rc', 'ra', 'cc'];

/** A property of a history: each transaction is checked at the level that is named for it (check/solver/check-own.ts). */
export const OWN = 'own';
/** The levels that a user may ask a checker for. */
export type AskedLevel = Level | typeof OWN;

/** A property of a run: each transaction runs at a level that is drawn for it (src/workload/mixed-levels.ts). */
export const MIXED = 'mixed';

export function isOwn(level: AskedLevel): level is typeof OWN {
  return level === OWN;
}

/** The levels of the list at which a transaction can run. */
export function withoutOwn(levels: readonly AskedLevel[]): readonly Level[] {
  return levels.filter((level) => !isOwn(level));
}

/** The levels that one history may mix: there is one commit order, and each transaction satisfies the axiom of its own level. */
export type MixedLevel = AwditLevel | 'snapshot-isolation' | 'serializable';

/** Levels that are hard to check in general, and linear on mini-transactions. */
export type StrongLevel = 'snapshot-isolation' | 'serializable' | 'strict-serializable';
export const STRONG_LEVELS: readonly StrongLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];

export interface LevelRow {
  readonly level: Level;
  /** The name in Adya's thesis (1999), where there is one. */
  readonly adya?: string;
  readonly title: string;
  /** The directly weaker levels: a violation of one of them violates this level too. */
  readonly implies: readonly Level[];
  readonly source: string;
}

export const LEVELS: readonly LevelRow[] = [
  { level: 'read-uncommitted', adya: 'PL-1', title: 'Read Uncommitted', implies: [], source: 'Adya 1999, 4.2.1' },
  { level: 'read-committed', adya: 'PL-2', title: 'Read Committed', implies: ['read-uncommitted'], source: 'Adya 1999, 4.2.2' },
  { level: 'monotonic-atomic-view', title: 'Monotonic Atomic View', implies: ['read-committed'], source: 'Bailis et al. 2013, 5.1.2' },
  { level: 'cursor-stability', adya: 'PL-CS', title: 'Cursor Stability', implies: ['read-committed'], source: 'Adya 1999, 4.2.3' },
  {
    level: 'consistent-view',
    adya: 'PL-2+',
    title: 'Consistent View',
    implies: ['monotonic-atomic-view'],
    source: 'Adya 1999, 4.2.1 of ch. 4.3',
  },
  {
    level: 'repeatable-read',
    adya: 'PL-2.99',
    title: 'Repeatable Read',
    implies: ['cursor-stability', 'monotonic-atomic-view'],
    source: 'Adya 1999, 3.2.4',
  },
  {
    level: 'snapshot-isolation',
    adya: 'PL-SI',
    title: 'Snapshot Isolation',
    implies: ['consistent-view', 'cursor-stability'],
    source: 'Cerone, Gotsman 2016; Adya 1999, 4.3',
  },
  {
    level: 'serializable',
    adya: 'PL-3',
    title: 'Serializable',
    implies: ['repeatable-read', 'snapshot-isolation'],
    source: 'Adya 1999, 3.2.4',
  },
  { level: 'strict-serializable', adya: 'PL-SS', title: 'Strict Serializable', implies: ['serializable', 'cc'], source: 'Adya 1999, 4.4' },
  { level: 'rc', title: 'Read Committed (Biswas, Enea)', implies: [], source: 'Biswas, Enea 2019, Fig. 2a' },
  { level: 'ra', title: 'Read Atomic', implies: ['rc'], source: 'Biswas, Enea 2019, Fig. 2b' },
  { level: 'cc', title: 'Causal Consistency', implies: ['ra'], source: 'Biswas, Enea 2019, Fig. 2c' },
];

/** The level and everything weaker than it. */
export function weakerOrEqual(level: Level): ReadonlySet<Level> {
  const seen = new Set<Level>();
  const open: Level[] = [level];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(LEVELS.find((row) => row.level === next)?.implies ?? []));
  }
  return seen;
}

export function isAwditLevel(level: Level): level is AwditLevel {
  return (AWDIT_LEVELS as readonly Level[]).includes(level);
}

export function isStrongLevel(level: Level): level is StrongLevel {
  return (STRONG_LEVELS as readonly Level[]).includes(level);
}

export function isLevel(word: string): word is Level {
  return LEVELS.some((row) => row.level === word);
}
