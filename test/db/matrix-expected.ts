/**
 * What a matrix should be, cell by cell, by server family: the promise of each phenomenon at each level, and what is
 * seen of each schedule. Where this differs from what one would read in a table of isolation levels, docs/MATRIX.md
 * explains it with the transcript.
 */
import type { Level } from '../../core/level/index.ts';
import type { CanonicalSchedule, Phenomenon } from '../../schema-gen/index.ts';

/**
 * X ruled out, d allowed, u not settled.
 *   d1  allowed over several statements, ruled out within one SELECT
 *   d*  allowed once a locking read or a write plays a part, ruled out among plain reads (where sessions matter: u)
 *   A3  ruled out for a range that is read twice (phantom), allowed for write skew
 *   A3* the same, but phantoms only among plain reads
 *   s   as X, but nothing is said of the order of sessions
 *   dl, A3l   as d and A3, ruled out among statements that lock all that they read; so are d* and A3*
 */
export type Token = 'X' | 'd' | 'u' | 'd1' | 'd*' | 'dl' | 'A3' | 'A3*' | 'A3l' | 's';

export const PROMISED_IN_ORDER: readonly Phenomenon[] = [
  'G0',
  'G1a',
  'G1b',
  'G1c',
  'OTV',
  'PMP',
  'P4',
  'G-single',
  'RW-skew',
  'G2-item',
  'G2',
  'non-repeatable read',
  'fractured read',
  'long fork',
  'causality',
];

export interface ExpectedMatrix {
  /** Of which servers: tried against the word of --target. */
  readonly servers: RegExp;
  /** Only where the server's configuration has these values. */
  readonly configuration?: Readonly<Record<string, string>>;
  /** Level -> tokens in the order above. */
  readonly promised: Readonly<Partial<Record<Level, string>>>;
  /** Schedules that show their phenomenon, by level. All others must not. `?`: not known, as docs/MATRIX.md says. */
  readonly occurs: Readonly<Partial<Record<Level, readonly string[]>>>;
  readonly unknown?: Readonly<Partial<Record<Level, readonly string[]>>>;
}

export function expectedSign(token: Token, { variant, purest, name }: CanonicalSchedule): string {
  const phantom = name.startsWith('phantom');
  const session = purest.cycle.some(({ rel }) => rel === 'so');
  const reads = purest.cycle.filter(({ readPoint }) => readPoint !== undefined);
  const locking = reads.length > 0 && reads.every(({ readPoint }) => readPoint === 'current');
  switch (token) {
    case 'X':
    case 'd':
    case 'u':
      return token;
    case 'd1':
      return purest.cycle.some((step) => step.fromStatement !== undefined) ? 'X' : 'd';
    case 'd*':
      return session ? 'u' : variant === 'plain reads' || locking ? 'X' : 'd';
    case 'dl':
      return locking ? 'X' : 'd';
    case 'A3':
      return phantom ? 'X' : 'd';
    case 'A3*':
      return (phantom && variant === 'plain reads') || locking ? 'X' : 'd';
    case 'A3l':
      return phantom || locking ? 'X' : 'd';
    case 's':
      return session ? 'u' : 'X';
  }
}

const POSTGRES_READ_COMMITTED: readonly string[] = [
  'PMP',
  'PMP, locking read',
  'PMP, write',
  'PMP, waiting write',
  'P4',
  'P4, one ends first',
  'G-single',
  'G-single, predicates',
  'G-single, locking read',
  'G-single, write',
  'RW-skew',
  'RW-skew, two tables',
  'G2-item',
  'G2-item, two tables',
  'G2-item, three transactions',
  'phantom',
  'phantom, deleted row',
  'phantom, locking reads',
  'phantom, locking read',
  'G2',
  'overlapping bookings',
  'overlapping bookings, FOR UPDATE',
  'on-call doctors',
  'read-only transaction',
  'non-repeatable read',
  'non-repeatable read, locking read',
  'non-repeatable read, own write',
  'fractured read',
  'fractured read, own write',
  'fractured read, one UPDATE',
  'long fork',
  'long fork, locking read',
  'causality',
  'causality, one session',
  'causality, locking read',
];
const WRITE_SKEW: readonly string[] = [
  'G2-item',
  'G2-item, two tables',
  'G2-item, three transactions',
  'G2',
  'overlapping bookings',
  'overlapping bookings, FOR UPDATE',
  'on-call doctors',
  'read-only transaction',
];

const INNODB_READ_UNCOMMITTED: readonly string[] = [
  'G1a',
  'G1b',
  'G1c',
  'OTV, unfinished writer',
  'P4',
  'P4, one ends first',
  'G-single',
  'G-single, predicates',
  'G-single, locking read',
  'G-single, write',
  'RW-skew',
  'RW-skew, two tables',
  'G2-item',
  'G2-item, two tables',
  'G2-item, three transactions',
  'on-call doctors',
  'non-repeatable read',
  'non-repeatable read, locking read',
  'non-repeatable read, own write',
  'fractured read',
  'fractured read, one statement',
  'fractured read, own write',
  'long fork',
  'long fork, locking read',
  'causality',
  'causality, one session',
  'causality, locking read',
];
/** Conditions tell nothing at READ UNCOMMITTED (docs/PREDICATES.md). */
const CONDITIONS: readonly string[] = [
  'PMP',
  'PMP, locking read',
  'PMP, write',
  'PMP, waiting write',
  'phantom',
  'phantom, deleted row',
  'phantom, locking reads',
  'phantom, locking read',
  'G2',
  'overlapping bookings',
  'overlapping bookings, FOR UPDATE',
  'read-only transaction',
];
const INNODB_READ_COMMITTED: readonly string[] = POSTGRES_READ_COMMITTED.filter(
  (name) => name !== 'fractured read, one UPDATE' && name !== 'PMP, waiting write',
);
const INNODB_REPEATABLE_READ: readonly string[] = [
  'OTV, locking read',
  'OTV, own write',
  'PMP, locking read',
  'PMP, write',
  'P4',
  'P4, one ends first',
  'G-single, locking read',
  'G-single, write',
  'RW-skew',
  'RW-skew, two tables',
  'G2-item',
  'G2-item, two tables',
  'G2-item, three transactions',
  'phantom, locking read',
  'G2',
  'overlapping bookings',
  'on-call doctors',
  'read-only transaction',
  'non-repeatable read, locking read',
  'non-repeatable read, own write',
  'fractured read, own write',
  'long fork, locking read',
  'causality, locking read',
];
const INNODB_PROMISED = {
  'read-uncommitted': 'X d d d d d d d d d d d d d d',
  'read-committed': 'X X X X u d d d d d d d d1 d1 d1',
  'repeatable-read': 'X X X X d* d* dl d* dl dl A3* d* d* d* d*',
  serializable: 'X X X X X X X X X X X X X X s',
} as const;
const SNAPSHOT_ISOLATION = 'X X X X X X X X X d A3 X X X s';

export const EXPECTED: readonly ExpectedMatrix[] = [
  {
    servers: /^postgres@/,
    promised: {
      // G0 G1a G1b G1c OTV PMP P4 G-single RW-skew G2-item G2 non-repeatable fractured fork causality
      'read-uncommitted': 'X X X X u d d d d d d d d1 d1 d1',
      'read-committed': 'X X X X u d d d d d d d d1 d1 d1',
      'repeatable-read': SNAPSHOT_ISOLATION,
      serializable: 'X X X X X X X X X X X X X X s',
    },
    occurs: {
      'read-uncommitted': POSTGRES_READ_COMMITTED,
      'read-committed': POSTGRES_READ_COMMITTED,
      'repeatable-read': WRITE_SKEW,
      serializable: [],
    },
  },
  {
    servers: /^mysql@/,
    promised: INNODB_PROMISED,
    occurs: {
      'read-uncommitted': INNODB_READ_UNCOMMITTED,
      'read-committed': INNODB_READ_COMMITTED,
      'repeatable-read': INNODB_REPEATABLE_READ,
      serializable: [],
    },
    unknown: { 'read-uncommitted': CONDITIONS, 'read-committed': ['PMP, waiting write'] },
  },
  {
    servers: /^mariadb@/,
    configuration: { innodb_snapshot_isolation: 'OFF' },
    promised: INNODB_PROMISED,
    // A subquery of an UPDATE takes no lock at READ COMMITTED, as in PostgreSQL.
    occurs: {
      'read-uncommitted': INNODB_READ_UNCOMMITTED,
      'read-committed': POSTGRES_READ_COMMITTED.filter((name) => name !== 'PMP, waiting write'),
      'repeatable-read': INNODB_REPEATABLE_READ,
      serializable: [],
    },
    unknown: { 'read-uncommitted': CONDITIONS, 'read-committed': ['PMP, waiting write'] },
  },
  {
    servers: /^mariadb@/,
    configuration: { innodb_snapshot_isolation: 'ON' },
    // There the UPDATE that had opened a read view with its subquery before it waited ends with 1020.
    promised: { ...INNODB_PROMISED, 'repeatable-read': 'X X X X X X X X X dl A3l X X X s' },
    occurs: {
      'read-uncommitted': INNODB_READ_UNCOMMITTED,
      'read-committed': INNODB_READ_COMMITTED,
      'repeatable-read': WRITE_SKEW.filter((name) => name !== 'overlapping bookings, FOR UPDATE'),
      serializable: [],
    },
    unknown: { 'read-uncommitted': CONDITIONS, 'read-committed': ['PMP, waiting write'] },
  },
];
