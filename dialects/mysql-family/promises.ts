/**
 * The promises of MySQL's and MariaDB's documents for InnoDB, level by level: the rows that both share, over their own
 * pages. Every class has a row at every level, so that no verdict follows from a gap in this table.
 *
 * At REPEATABLE READ, plain SELECTs read one snapshot and everything else reads the newest committed rows. The manual says so.
 * Plain SELECTs alone must be consistent, but cycles with a locking read or a write need not be. So cycles with a single
 * anti-dependency have two rows. Lost update and read-write skew are documented, and read skew among plain SELECTs is a bug.
 */
import type { AnomalyClass, CycleBase, CycleClass, Level, PromiseRow, PromiseSource, Shape } from '../../core/level/index.ts';

/** The vendor's pages. Two of them may be the same. */
export interface FamilySources {
  /** The page on the levels. */
  readonly levels: PromiseSource;
  /** The page on consistent reads. */
  readonly consistent: PromiseSource;
  /** The page on the locks that each statement sets. */
  readonly locks: PromiseSource;
  /** The page that distinguishes locking reads and writes from consistent reads, and what it says. */
  readonly current: PromiseSource & { readonly says: string };
  /** The page on subqueries of locking reads. */
  readonly nested: PromiseSource;
  /** The page on how a transaction begins and ends, and what it says. */
  readonly transaction: PromiseSource & { readonly says: string };
  /** The page on SERIALIZABLE. */
  readonly serializable: PromiseSource;
}

export const SINGLE: readonly CycleBase[] = ['G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent'];
export const SKEW: readonly CycleBase[] = ['G2-item', 'G2'];
const BASES: readonly CycleBase[] = ['G0', 'G1c', ...SINGLE, ...SKEW];
const SESSION_SHAPES: readonly Shape[] = ['read your writes', 'monotonic reads', 'monotonic writes', 'writes follow reads', 'stale read'];
const UNSPOKEN = 'Session order and real time are not spoken of; one server keeps them in practice.';

const RU: readonly Level[] = ['read-uncommitted'];
const RC: readonly Level[] = ['read-committed'];
const RR: readonly Level[] = ['repeatable-read'];
const SER: readonly Level[] = ['serializable'];
const ALL: readonly Level[] = [...RU, ...RC, ...RR, ...SER];

export function familyPromises(sources: FamilySources): readonly PromiseRow[] {
  return [everyLevel, readUncommitted, readCommitted, updates, repeatableRead, serializableReads, orders].flatMap((rows) => rows(sources));
}

/** Every level: the writers of a row have one order. */
function everyLevel({ consistent, locks, current, transaction }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      ALL,
      ['G0'],
      'bug',
      'UPDATE, DELETE and SELECT FOR UPDATE lock the rows that they find until the transaction ends, at every level, so committed writers of shared rows have one order.',
      locks,
    ),
    ...at(
      [...RU, ...RC, ...SER],
      ['internal'],
      'bug',
      'A consistent read sees the changes that earlier statements of its own transaction made, and no other transaction changes a row that is locked.',
      consistent,
    ),
    ...at(
      RR,
      ['internal'],
      'undocumented',
      'A consistent read sees its own changes and otherwise its snapshot. The manual does not say more.',
      consistent,
    ),
    ...at(RR, ['internal'], 'documented', current.says, current, { shapes: ['moved row'] }),
    ...at(
      ALL,
      ['fork', 'duplicate-write', 'thin-air'],
      'bug',
      'A second updater waits for the first and works on the row that it left: no committed write is lost from a row, repeated or invented.',
      locks,
    ),
    ...at(ALL, ['status-mismatch'], 'bug', transaction.says, transaction),
  ];
}

/** READ UNCOMMITTED: dirty reads. */
function readUncommitted({ levels, consistent }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      RU,
      ['G1a', 'G1b', 'G1c'],
      'documented',
      'SELECTs do not lock and may use an earlier or uncommitted version of a row: such reads are not consistent (dirty read).',
      levels,
    ),
    ...at(
      ['read-committed', 'repeatable-read', 'serializable'],
      ['G1a', 'G1b', 'G1c'],
      'bug',
      'Dirty reads belong to READ UNCOMMITTED alone: from READ COMMITTED on, a consistent read is of a snapshot of committed rows.',
      consistent,
    ),
    ...at(
      RU,
      [...SINGLE, ...SKEW],
      'documented',
      'Reads are not consistent at READ UNCOMMITTED; otherwise it works like READ COMMITTED.',
      levels,
    ),
  ];
}

/** READ COMMITTED: one snapshot for each statement. */
function readCommitted({ consistent }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      RC,
      SINGLE,
      'undocumented',
      'Later statements have later snapshots, so what was once seen of a transaction should not vanish; the manual does not say so.',
      consistent,
      { shapes: ['observed transaction vanishes'] },
    ),
    ...at(
      RC,
      SINGLE,
      'documented',
      'Each consistent read, even within one transaction, sets and reads its own fresh snapshot. Lost update, read skew and phantoms follow.',
      consistent,
    ),
    ...at(
      RC,
      SINGLE,
      'bug',
      'Each consistent read sets and reads its own fresh snapshot: within one plain SELECT no transaction is seen in part.',
      consistent,
      { when: 'one plain SELECT' },
    ),
    ...at(RC, SKEW, 'documented', 'A consistent read sets no lock: others may change what was read before the reader commits.', consistent),
  ];
}

/** An UPDATE locks, whatever plain SELECTs see. */
function updates({ levels }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      [...RU, ...RC, ...RR],
      SINGLE,
      'bug',
      'An UPDATE locks the row that it changes and decides its WHERE on the newest version: of two compare-and-sets from one value only one changes the row.',
      levels,
      { when: 'compare-and-sets only' },
    ),
  ];
}

/** REPEATABLE READ: one snapshot for plain SELECTs, the newest state for everything else. */
function repeatableRead({ consistent, locks, current }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      RR,
      SINGLE,
      'bug',
      'All consistent reads of one transaction read the snapshot that the first one established: plain SELECTs are consistent with respect to each other.',
      consistent,
      { when: 'snapshot reads only' },
    ),
    ...at(RR, SINGLE, 'documented', current.says, current),
    ...at(
      RR,
      [...SINGLE, ...SKEW],
      'bug',
      "UPDATE, DELETE and SELECT ... FOR set record, gap and next-key locks on all that they look at, the tables of a write's subqueries included, and keep them until the transaction ends: among locking statements alone nothing that was read changes.",
      locks,
      { when: 'locking reads only' },
    ),
    ...at(
      RR,
      SKEW,
      'documented',
      'Plain SELECTs take no lock at REPEATABLE READ, so what they read may change before the reader commits: write skew.',
      consistent,
    ),
  ];
}

/** SERIALIZABLE: plain SELECTs lock. */
function serializableReads({ nested, serializable }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      SER,
      [...SINGLE, ...SKEW],
      'bug',
      'Every plain SELECT of a transaction becomes a locking read (an autocommit one is a transaction of its own that reads one snapshot): two-phase locking.',
      serializable,
    ),
    ...at(
      SER,
      [...SINGLE, ...SKEW],
      'documented',
      'A locking clause does not lock the rows of nested subqueries, and the SELECTs of an autocommit statement are not made locking ones: the subqueries of an autocommit SELECT ... FOR read a snapshot, the query around them the newest rows.',
      nested,
      { when: 'an autocommit locking SELECT with a subquery' },
    ),
  ];
}

/**
 * Session order and real time. The documents promise nothing about them. But anomalies that a level allows without
 * these orders are also allowed with them.
 */
function orders({ levels, consistent }: FamilySources): readonly PromiseRow[] {
  return [
    ...at(
      [...RU, ...RC],
      timed([...SINGLE, ...SKEW]),
      'undocumented',
      'What a session has seen or written it should go on seeing; the manual does not say so.',
      levels,
      { shapes: SESSION_SHAPES },
    ),
    ...at(
      [...RU, ...RC],
      timed([...SINGLE, ...SKEW]),
      'documented',
      'Each statement has its own snapshot at best: no order of whole transactions is kept.',
      levels,
    ),
    ...at(
      RR,
      timed(SKEW),
      'documented',
      'Plain SELECTs take no lock at REPEATABLE READ: no serial order is promised, hence none that keeps the order of sessions.',
      consistent,
    ),
    ...at([...RU, ...RC], timed(['G0', 'G1c']), 'undocumented', UNSPOKEN, levels),
    ...at(RR, timed(['G0', 'G1c', ...SINGLE]), 'undocumented', UNSPOKEN, levels),
    ...at(SER, timed(BASES), 'undocumented', UNSPOKEN, levels),
  ];
}

export function timed(bases: readonly CycleBase[]): readonly CycleClass[] {
  return bases.flatMap((base) => [`${base}-session`, `${base}-realtime`] as const);
}

export function at(
  levels: readonly Level[],
  classes: readonly AnomalyClass[],
  verdict: PromiseRow['verdict'],
  says: string,
  from: PromiseSource,
  only: Pick<PromiseRow, 'shapes' | 'when' | 'configuration'> = {},
): readonly PromiseRow[] {
  return levels.map((level) => ({ level, classes, verdict, ...from, says, ...only }));
}
