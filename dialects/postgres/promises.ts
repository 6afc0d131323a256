/**
 * The promises of PostgreSQL's documents, level by level. Every class has a row at every level, so that no verdict follows
 * from a gap in this table. A row with shapes applies before the general row of its class. READ UNCOMMITTED runs as
 * READ COMMITTED. REPEATABLE READ is snapshot isolation: write skew is documented there, and lost update is ruled out.
 *
 * We read the documentation of 18.6 as Debian packages it (postgresql-doc-18). The sentences behind these rows say the same in the
 * documentation of 13, 15 and 17, so the rows apply to older servers too.
 */
import type { AnomalyClass, CycleBase, CycleClass, Level, PromiseRow, PromiseSource, Shape } from '../../core/level/index.ts';

const ISOLATION: PromiseSource = { source: 'https://www.postgresql.org/docs/18/transaction-iso.html', version: '18', date: '2026-11-22' };
const STANDBY: PromiseSource = { source: 'https://www.postgresql.org/docs/18/hot-standby.html', version: '18', date: '2026-11-22' };
/** A transaction begins and ends as its client is told. */
export const TRANSACTION: PromiseSource & { readonly says: string } = {
  source: 'https://www.postgresql.org/docs/18/sql-begin.html',
  version: '18',
  date: '2026-11-23',
  holds: 'read as the manual page BEGIN(7) of 18.1; the protocol is read by test/db/planted-faults.test.ts',
  says: 'All statements after BEGIN are executed in a single transaction until an explicit COMMIT or ROLLBACK is given.',
};

/** A transaction on a standby takes part. */
const ON_STANDBY = { in_hot_standby: 'on' } as const;

const SINGLE: readonly CycleBase[] = ['G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent'];
const SKEW: readonly CycleBase[] = ['G2-item', 'G2'];
const BASES: readonly CycleBase[] = ['G0', 'G1c', ...SINGLE, ...SKEW];
const timed = (bases: readonly CycleBase[]): readonly CycleClass[] =>
  bases.flatMap((base) => [`${base}-session`, `${base}-realtime`] as const);
const UNSPOKEN =
  'Only some serial order is promised (13.2.3); session order and real time are not spoken of, and on a standby reads may be stale.';
const SESSION_SHAPES: readonly Shape[] = ['read your writes', 'monotonic reads', 'monotonic writes', 'writes follow reads', 'stale read'];
const UNDER_READ_COMMITTED: readonly Level[] = ['read-uncommitted', 'read-committed'];
const SNAPSHOT_OR_BETTER: readonly Level[] = ['repeatable-read', 'serializable'];
const ALL: readonly Level[] = [...UNDER_READ_COMMITTED, ...SNAPSHOT_OR_BETTER];

export const PROMISES: readonly PromiseRow[] = [
  // Every level: nothing uncommitted is ever visible, and row locks order the writers of a row.
  ...at(
    ALL,
    ['G0'],
    'bug',
    "An UPDATE, DELETE or SELECT FOR waits for the row's first updater to commit or roll back (13.2.1, 13.2.2), so committed writers of shared rows have one order.",
    ISOLATION,
  ),
  ...at(
    ALL,
    ['G1a', 'G1b'],
    'bug',
    'Dirty read is "Allowed, but not in PG" at READ UNCOMMITTED and not possible elsewhere (table 13.1); a SELECT never sees uncommitted data or changes committed while it runs (13.2.1).',
    ISOLATION,
  ),
  ...at(
    ALL,
    ['G1c'],
    'bug',
    'A circle of reads needs one transaction to see another before it has committed; no level shows uncommitted data (table 13.1, 13.2.1).',
    ISOLATION,
  ),
  ...at(ALL, ['internal'], 'bug', 'A query sees the effects of earlier updates of its own transaction (13.2.1, 13.2.2).', ISOLATION),
  ...at(
    ALL,
    ['fork', 'duplicate-write', 'thin-air'],
    'bug',
    'A second updater works on the updated version of the row (READ COMMITTED) or is rolled back (13.2.1, 13.2.2): no committed write is lost, repeated or invented.',
    ISOLATION,
  ),
  ...at(ALL, ['status-mismatch'], 'bug', TRANSACTION.says, TRANSACTION),

  // READ COMMITTED (and READ UNCOMMITTED): one snapshot for each command.
  ...at(
    UNDER_READ_COMMITTED,
    SINGLE,
    'undocumented',
    'Later commands have later snapshots, so what was once seen of a transaction should not vanish; the documentation does not say so.',
    ISOLATION,
    ['observed transaction vanishes'],
  ),
  ...at(
    UNDER_READ_COMMITTED,
    SINGLE,
    'documented',
    'Nonrepeatable and phantom reads are possible (table 13.1); two successive commands may see different data, and an updating command may see an inconsistent snapshot (13.2.1). Lost update and read skew follow.',
    ISOLATION,
  ),
  ...at(
    UNDER_READ_COMMITTED,
    SINGLE,
    'bug',
    'A SELECT sees only data committed before it began, in effect a snapshot as of the instant at which it begins to run (13.2.1): within one SELECT no transaction is seen in part.',
    ISOLATION,
    undefined,
    undefined,
    'one plain SELECT',
  ),
  ...at(
    UNDER_READ_COMMITTED,
    SINGLE,
    'undocumented',
    'On a standby, when commits become visible and in which order is not stated; the standby is eventually consistent with the primary.',
    STANDBY,
    ['long fork', 'causality violation'],
    ON_STANDBY,
    'one plain SELECT',
  ),
  ...at(
    UNDER_READ_COMMITTED,
    SINGLE,
    'bug',
    'An updating command that has waited for a row decides its WHERE again on the updated version and starts from that (13.2.1): of two compare-and-sets from one value only one changes the row.',
    ISOLATION,
    undefined,
    undefined,
    'compare-and-sets only',
  ),
  ...at(UNDER_READ_COMMITTED, SKEW, 'documented', 'Serialization anomalies are possible (table 13.1).', ISOLATION),

  // REPEATABLE READ: snapshot isolation.
  ...at(
    ['repeatable-read'],
    SINGLE,
    'undocumented',
    'On a standby, when commits become visible and in which order is not stated; the standby is eventually consistent with the primary.',
    STANDBY,
    ['long fork', 'causality violation'],
    ON_STANDBY,
  ),
  ...at(
    ['repeatable-read'],
    SINGLE,
    'bug',
    'Nonrepeatable reads are not possible and phantoms "Allowed, but not in PG" (table 13.1); every query sees the snapshot of the first one, and an update of a row changed since then is rolled back (13.2.2: snapshot isolation).',
    ISOLATION,
  ),
  ...at(
    ['repeatable-read'],
    SINGLE,
    'undocumented',
    'UPDATE, DELETE, MERGE and locking reads search the snapshot, and are rolled back where a row has changed since (13.2.2). INSERT is not among them, nor is the check of a key: whether a key is free in the snapshot or now is not said.',
    ISOLATION,
    undefined,
    undefined,
    'a write that found its key freed',
  ),
  ...at(
    ['repeatable-read'],
    SKEW,
    'documented',
    'Serialization anomalies are possible (table 13.1): the view is stable, but need not agree with any serial order (13.2.2).',
    ISOLATION,
  ),

  // SERIALIZABLE.
  ...at(
    ['serializable'],
    [...SINGLE, ...SKEW],
    'bug',
    'Any set of committed serializable transactions has the effect of running them one at a time in some order (13.2.3).',
    ISOLATION,
  ),

  // Transactions that read on a standby. SERIALIZABLE is not available there, so the tool reads at REPEATABLE READ.
  ...at(
    ['serializable'],
    SKEW,
    'documented',
    'SERIALIZABLE is not available on a standby: what is read there at REPEATABLE READ need not agree with the serial order of the primary.',
    STANDBY,
    undefined,
    ON_STANDBY,
  ),
  ...at(
    ['serializable'],
    SINGLE,
    'undocumented',
    'On a standby, when commits become visible and in which order is not stated; the standby is eventually consistent with the primary.',
    STANDBY,
    ['long fork', 'causality violation'],
    ON_STANDBY,
  ),
  ...at(
    ALL,
    timed([...SINGLE, ...SKEW]),
    'documented',
    'Data takes some time to arrive on a standby, and the same query may give another result there than on the primary: the standby is eventually consistent with it.',
    STANDBY,
    undefined,
    ON_STANDBY,
  ),

  // Session order and real time. The documents promise nothing about them. But anomalies that a level allows without
  // these orders are also allowed with them.
  ...at(
    UNDER_READ_COMMITTED,
    timed([...SINGLE, ...SKEW]),
    'documented',
    'Serialization anomalies are possible (table 13.1), and successive commands may see different data (13.2.1): no order of whole transactions is kept.',
    ISOLATION,
  ),
  ...at(
    UNDER_READ_COMMITTED,
    timed([...SINGLE, ...SKEW]),
    'undocumented',
    'What a session has seen or written it should go on seeing; the documentation does not say so.',
    ISOLATION,
    SESSION_SHAPES,
  ),
  ...at(
    ['repeatable-read'],
    timed(SKEW),
    'documented',
    'Serialization anomalies are possible (table 13.1): the view is stable, but need not agree with any serial order (13.2.2), hence with none that keeps the order of sessions.',
    ISOLATION,
  ),
  ...at(UNDER_READ_COMMITTED, timed(['G0', 'G1c']), 'undocumented', UNSPOKEN, ISOLATION),
  ...at(['repeatable-read'], timed(['G0', 'G1c', ...SINGLE]), 'undocumented', UNSPOKEN, ISOLATION),
  ...at(['serializable'], timed(BASES), 'undocumented', UNSPOKEN, ISOLATION),
];

function at(
  levels: readonly Level[],
  classes: readonly AnomalyClass[],
  verdict: PromiseRow['verdict'],
  says: string,
  from: PromiseSource,
  shapes?: PromiseRow['shapes'],
  configuration?: PromiseRow['configuration'],
  when?: PromiseRow['when'],
): readonly PromiseRow[] {
  return levels.map((level) => ({
    level,
    classes,
    verdict,
    ...from,
    says,
    ...(shapes ? { shapes } : {}),
    ...(configuration ? { configuration } : {}),
    ...(when ? { when } : {}),
  }));
}
