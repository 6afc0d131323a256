/**
 * The anomalies that each level forbids, as data. The row of a level names only what it adds to the levels it implies
 * (core/level.ts). An anomaly violates a level exactly when some level at or below it lists it. Snapshot isolation
 * forbids every cycle without two adjacent anti-dependencies, Adya's repeatable read every cycle of item edges: neither
 * contains the other. An anomaly without a cycle has a row of its own, so a new class does not compile without its levels.
 *
 * `rc`, `ra`, `cc` (Biswas, Enea) let the checker choose the version order. The version order that the database showed
 * violates them only where no order helps: bad reads, and cycles of wr and so alone. AWDIT decides the rest.
 */
import { LEVELS, weakerOrEqual } from '../../core/index.ts';
import type { Anomaly, AnomalyClass, CycleClass, Level, NonCycleClass } from '../../core/index.ts';
import { CYCLE_BASES } from './cycle-classes.ts';

interface ForbidsRow {
  readonly level: Level;
  readonly classes: readonly CycleClass[];
  /** The cycles that the level forbids whatever their class. */
  readonly cycles?: (anomaly: Judged) => boolean;
  readonly source: string;
}

type Judged = Pick<Anomaly, 'class' | 'shapes' | 'cycle'>;

const FORBIDS: readonly ForbidsRow[] = [
  { level: 'read-uncommitted', classes: ['G0'], source: 'Adya 1999, 4.2.1: G0' },
  { level: 'read-committed', classes: ['G1c'], source: 'Adya 1999, 4.2.2: G1' },
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
  { level: 'serializable', classes: CYCLE_BASES, source: 'Adya 1999, 3.2.4: G1, G2' },
  {
    level: 'strict-serializable',
    classes: CYCLE_BASES.flatMap((base): CycleClass[] => [`${base}-session`, `${base}-realtime`]),
    source: 'Adya 1999, 4.4; sessions are contained in real time',
  },
  {
    level: 'rc',
    classes: [],
    cycles: ({ cycle }) => cycle.length > 0 && cycle.every(({ rel }) => rel === 'wr' || rel === 'so'),
    source: 'Biswas, Enea 2019, 2.2: reads are consistent, so and wr have no cycle',
  },
];

interface WithoutCycle {
  /** The weakest levels that forbid it. */
  readonly levels: readonly Level[];
  readonly source: string;
}

const NO_ORDER = 'it leaves no version order';
const READS_CONSISTENT = 'Biswas, Enea 2019, 2.2: reads are consistent';

const WITHOUT_CYCLE: Readonly<Record<NonCycleClass, WithoutCycle>> = {
  G1a: { levels: ['read-committed', 'rc'], source: `Adya 1999, 4.2.2: G1; ${READS_CONSISTENT}` },
  G1b: { levels: ['read-committed', 'rc'], source: `Adya 1999, 4.2.2: G1; ${READS_CONSISTENT}` },
  internal: { levels: ['read-uncommitted', 'rc'], source: 'a transaction sees its own writes at every level' },
  fork: { levels: ['read-uncommitted'], source: NO_ORDER },
  'duplicate-write': { levels: ['read-uncommitted'], source: NO_ORDER },
  'thin-air': { levels: ['read-uncommitted', 'rc'], source: `${NO_ORDER}; ${READS_CONSISTENT}` },
  'status-mismatch': { levels: ['read-uncommitted'], source: 'a transaction begins and ends as its client is told, at every level' },
};

/** Returns every level that the anomaly rules out, weakest first. */
export function violates(anomaly: Judged): readonly Level[] {
  const name: AnomalyClass = anomaly.class;
  const direct = new Set<Level>(Object.hasOwn(WITHOUT_CYCLE, name) ? WITHOUT_CYCLE[name as NonCycleClass].levels : []);
  for (const { level, classes, cycles } of FORBIDS) {
    if (classes.includes(name as CycleClass) || (cycles?.(anomaly) ?? false)) direct.add(level);
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
