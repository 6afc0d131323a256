/**
 * The anomalies that each level forbids, as data. The row of a level names only what it adds to the levels it implies
 * (core/level.ts). An anomaly violates a level exactly when some level at or below it lists it. Snapshot isolation
 * forbids every cycle without two adjacent anti-dependencies, Adya's repeatable read every cycle of item edges: neither
 * contains the other.
 *
 * `rc`, `ra`, `cc` (Biswas, Enea) let the checker choose the version order. The version order that the database showed
 * violates them only where no order helps: bad reads, and cycles of wr and so alone. AWDIT decides the rest.
 */
import { LEVELS, weakerOrEqual } from '../../core/index.ts';
import type { Anomaly, AnomalyClass, CycleBase, Level } from '../../core/index.ts';

interface ForbidsRow {
  readonly level: Level;
  readonly classes: readonly AnomalyClass[];
  /** The cycles that the level forbids whatever their class. */
  readonly cycles?: (anomaly: Judged) => boolean;
  readonly source: string;
}

type Judged = Pick<Anomaly, 'class' | 'shapes' | 'cycle'>;

const EVERY_BASE: readonly CycleBase[] = ['G0', 'G1c', 'G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent', 'G2-item', 'G2'];

const FORBIDS: readonly ForbidsRow[] = [
  {
    level: 'read-uncommitted',
    classes: ['G0', 'fork', 'duplicate-write', 'thin-air', 'internal', 'status-mismatch'],
    source:
      'Adya 1999, 4.2.1: G0. A fork, a duplicate and a write out of thin air leave no version order; a transaction sees its own writes, and begins and ends as its client is told, at every level',
  },
  { level: 'read-committed', classes: ['G1a', 'G1b', 'G1c'], source: 'Adya 1999, 4.2.2: G1' },
  {
    level: 'monotonic-atomic-view',
    classes: [],
    cycles: ({ shapes }) => shapes.includes('observed transaction vanishes'),
    source: 'Bailis et al. 2013, 5.1.2: OTV. Predicate-many-preceders is a matter of cut isolation (5.1.3), and of consistent view',
  },
  { level: 'cursor-stability', classes: [], cycles: isCursorCycle, source: 'Adya 1999, 4.2.3: G-cursor, one rw and ww, all on one row' },
  { level: 'consistent-view', classes: ['G-single-item', 'G-single'], source: 'Adya 1999, 4.3: G-single' },
  {
    level: 'repeatable-read',
    classes: ['G-single-item', 'G-nonadjacent-item', 'G2-item'],
    source: 'Adya 1999, 3.2.4: G2-item, all anti-dependencies on items (Elle)',
  },
  {
    level: 'snapshot-isolation',
    classes: ['G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent'],
    source: 'Cerone, Gotsman 2016, Theorem 10: every cycle has two adjacent anti-dependencies',
  },
  { level: 'serializable', classes: EVERY_BASE, source: 'Adya 1999, 3.2.4: G1, G2' },
  {
    level: 'strict-serializable',
    classes: EVERY_BASE.flatMap((base): AnomalyClass[] => [`${base}-session`, `${base}-realtime`]),
    source: 'Adya 1999, 4.4; sessions are contained in real time',
  },
  {
    level: 'rc',
    classes: ['G1a', 'G1b', 'internal', 'thin-air'],
    cycles: ({ cycle }) => cycle.length > 0 && cycle.every(({ rel }) => rel === 'wr' || rel === 'so'),
    source: 'Biswas, Enea 2019, 2.2: reads are consistent, so and wr have no cycle',
  },
];

/** Returns every level that the anomaly rules out, weakest first. */
export function violates(anomaly: Judged): readonly Level[] {
  const direct = new Set<Level>();
  for (const { level, classes, cycles } of FORBIDS) {
    if (classes.includes(anomaly.class) || (cycles?.(anomaly) ?? false)) direct.add(level);
  }
  return LEVELS.filter(({ level }) => [...weakerOrEqual(level)].some((weaker) => direct.has(weaker))).map(({ level }) => level);
}

function isCursorCycle({ cycle }: Judged): boolean {
  return (
    cycle.length > 1 &&
    cycle.every(({ rel, row }) => (rel === 'ww' || rel === 'rw') && row === cycle[0].row) &&
    cycle.filter(({ rel }) => rel === 'rw').length === 1
  );
}
