/**
 * The promises of TiDB's documents. REPEATABLE READ means two things. In optimistic transactions it is snapshot
 * isolation. In pessimistic ones, the default, plain SELECTs read one snapshot beside current reads and writes, as in
 * InnoDB. Rows that depend on tidb_txn_mode name it, and a row without it describes the default.
 */
import type { CycleBase, Level, PromiseRow, PromiseSource, Shape } from '../../core/level/index.ts';
import { SINGLE, SKEW, at, timed } from '../mysql-family/index.ts';

const LEVELS: PromiseSource = {
  source: 'https://docs.pingcap.com/tidb/stable/transaction-isolation-levels',
  version: 'stable',
  date: '2026-11-21',
};
const PESSIMISTIC: PromiseSource = {
  source: 'https://docs.pingcap.com/tidb/stable/pessimistic-transaction',
  version: 'stable',
  date: '2026-11-21',
};
const LINEAR: PromiseSource = { source: 'https://docs.pingcap.com/tidb/stable/system-variables', version: 'stable', date: '2026-11-21' };

const OPTIMISTIC = { tidb_txn_mode: 'optimistic' } as const;
const RC: readonly Level[] = ['read-committed'];
const RR: readonly Level[] = ['repeatable-read'];
const ALL: readonly Level[] = [...RC, ...RR];
const EARLY: readonly CycleBase[] = ['G0', 'G1c'];
const SESSION_SHAPES: readonly Shape[] = ['read your writes', 'monotonic reads', 'monotonic writes', 'writes follow reads', 'stale read'];
const ORDERED =
  'Every transaction gets its timestamps from one oracle (PD), so what committed before it began is before it; with tidb_guarantee_linearizability this holds in real time.';

export const PROMISES: readonly PromiseRow[] = [
  ...at(ALL, ['G0'], 'bug', 'Writers of one row are ordered by locks (pessimistic) or refused at COMMIT (optimistic).', LEVELS),
  ...at(ALL, ['G1a', 'G1b', 'G1c'], 'bug', 'No level of TiDB shows uncommitted data: READ COMMITTED is the weakest one.', LEVELS),
  ...at(
    ALL,
    ['fork', 'duplicate-write', 'thin-air'],
    'bug',
    'Percolator commits a transaction once and whole: no committed write is lost from a row, repeated or invented.',
    LEVELS,
  ),
  ...at(ALL, ['status-mismatch'], 'undocumented', 'The documents do not speak of the status that the protocol reports.', LEVELS),
  ...at(RC, ['internal'], 'bug', 'A statement sees what earlier statements of its own transaction wrote.', LEVELS),
  ...at(
    RR,
    ['internal'],
    'undocumented',
    'A read sees its own writes and otherwise the snapshot; what an UPDATE that changes nothing shows of a newer row is not spoken of.',
    LEVELS,
  ),
  ...at(RR, ['internal'], 'bug', 'Optimistic transactions read one snapshot and their own writes.', LEVELS, { configuration: OPTIMISTIC }),

  // READ COMMITTED, for pessimistic transactions: one snapshot for each statement.
  ...at(
    RC,
    SINGLE,
    'undocumented',
    'Later statements have later timestamps, so what was once seen of a transaction should not vanish; the documents do not say so.',
    LEVELS,
    { shapes: ['observed transaction vanishes'] },
  ),
  ...at(
    RC,
    SINGLE,
    'documented',
    'At READ COMMITTED each statement reads with a new timestamp: reads are not repeatable. Lost update and read skew follow.',
    LEVELS,
  ),
  ...at(
    RC,
    SINGLE,
    'bug',
    'A statement reads the data committed before its timestamp: within one plain SELECT no transaction is seen in part.',
    LEVELS,
    { when: 'one plain SELECT' },
  ),

  // REPEATABLE READ.
  ...at(RR, SINGLE, 'bug', 'Plain SELECTs of one transaction read the snapshot of its start timestamp.', LEVELS, {
    when: 'snapshot reads only',
  }),
  ...at(
    RR,
    SINGLE,
    'documented',
    'In pessimistic transactions UPDATE, DELETE and SELECT FOR UPDATE read the newest committed data, which are not repeatable reads, and two transactions that update one row can both commit.',
    PESSIMISTIC,
  ),
  ...at(
    RR,
    SINGLE,
    'bug',
    'Optimistic transactions are snapshot isolation: two that update one row concurrently cannot both commit.',
    LEVELS,
    { configuration: OPTIMISTIC },
  ),
  ...at(
    ALL,
    SINGLE,
    'bug',
    'An UPDATE reads the newest committed version of its row and locks it (pessimistic), or is refused for the conflict when it commits (optimistic): of two compare-and-sets from one value only one changes the row.',
    PESSIMISTIC,
    { when: 'compare-and-sets only' },
  ),
  ...at(
    ALL,
    SKEW,
    'documented',
    'TiDB implements snapshot isolation under the name of REPEATABLE READ, which allows write skew; it has no gap locks, so phantoms of locking reads occur.',
    LEVELS,
  ),

  // Session order and real time.
  ...at(ALL, timed(EARLY), 'bug', ORDERED, LINEAR),
  ...at(ALL, timed(EARLY), 'documented', 'Without tidb_guarantee_linearizability only causal consistency is promised.', LINEAR, {
    configuration: { tidb_guarantee_linearizability: 'OFF' },
  }),
  ...at(
    ALL,
    timed([...SINGLE, ...SKEW]),
    'documented',
    'What the level allows without the order of sessions and of time it allows with it.',
    LEVELS,
  ),
  ...at(ALL, timed([...SINGLE, ...SKEW]), 'bug', ORDERED, LINEAR, { shapes: SESSION_SHAPES }),
  ...at(
    ALL,
    timed([...SINGLE, ...SKEW]),
    'documented',
    'Without tidb_guarantee_linearizability a stale read in real time is allowed.',
    LINEAR,
    { shapes: ['stale read'], configuration: { tidb_guarantee_linearizability: 'OFF' } },
  ),
  ...at(
    RR,
    timed(SINGLE),
    'bug',
    'Optimistic transactions are snapshot isolation, and their snapshots are of the order that the oracle gives.',
    LEVELS,
    { configuration: OPTIMISTIC },
  ),
];
