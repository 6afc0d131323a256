/**
 * The promises of CockroachDB's documents. SERIALIZABLE and READ COMMITTED are documented. REPEATABLE READ is a
 * preview. Only the design document of the weak levels describes it: "snapshot isolation (Repeatable Read, in
 * PostgreSQL terms)". CockroachDB does not keep strict serializability. There are no stale reads, but a third
 * transaction may see only the second one of two that touch different rows ("causal reverse").
 */
import type { AnomalyClass, CycleBase, CycleClass, Level, PromiseRow, PromiseSource, Shape } from '../../core/level/index.ts';

const READ_COMMITTED: PromiseSource = {
  source: 'https://www.cockroachlabs.com/docs/v25.2/read-committed',
  version: '25.2',
  date: '2026-11-21',
};
const TRANSACTIONS: PromiseSource = {
  source: 'https://www.cockroachlabs.com/docs/v25.4/architecture/transaction-layer',
  version: '25.4',
  date: '2026-11-21',
};
const DESIGN: PromiseSource = {
  source: 'https://github.com/cockroachdb/cockroach/blob/master/docs/RFCS/20230122_read_committed_isolation.md',
  version: 'every',
  date: '2023-01-22',
};
const MODEL: PromiseSource = { source: 'https://www.cockroachlabs.com/blog/consistency-model/', version: 'every', date: '2019-01-08' };

const SINGLE: readonly CycleBase[] = ['G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent'];
const SKEW: readonly CycleBase[] = ['G2-item', 'G2'];
const EARLY: readonly CycleBase[] = ['G0', 'G1c'];
const session = (bases: readonly CycleBase[]): readonly CycleClass[] => bases.map((base) => `${base}-session` as const);
const realtime = (bases: readonly CycleBase[]): readonly CycleClass[] => bases.map((base) => `${base}-realtime` as const);
const timed = (bases: readonly CycleBase[]): readonly CycleClass[] => [...session(bases), ...realtime(bases)];
const FRESH: readonly Shape[] = ['read your writes', 'monotonic reads', 'stale read'];

const RC: readonly Level[] = ['read-committed'];
const RR: readonly Level[] = ['repeatable-read'];
const SER: readonly Level[] = ['serializable'];
const ALL: readonly Level[] = [...RC, ...RR, ...SER];

export const PROMISES: readonly PromiseRow[] = [
  ...at(
    ALL,
    ['G0'],
    'bug',
    'A write leaves a lock that other writers wait for until its transaction ends, so committed writers of one row have one order.',
    TRANSACTIONS,
  ),
  ...at(
    ALL,
    ['G1a', 'G1b', 'G1c'],
    'bug',
    'Uncommitted writes are intents: a reader waits for them, pushes them or reads below them, and never returns one that has not committed.',
    TRANSACTIONS,
  ),
  ...at(ALL, ['status-mismatch'], 'undocumented', 'The documents do not speak of the status that the protocol reports.', TRANSACTIONS),
  ...at(ALL, ['internal'], 'bug', 'A statement sees what earlier statements of its own transaction wrote.', TRANSACTIONS),
  ...at(
    ALL,
    ['fork', 'duplicate-write', 'thin-air'],
    'bug',
    'A transaction commits atomically by its record, and a writer works on the newest committed version or is restarted: no committed write is lost, repeated or invented.',
    TRANSACTIONS,
  ),

  ...at(
    RC,
    SINGLE,
    'undocumented',
    'Later statements have later snapshots, so what was once seen of a transaction should not vanish; the documents do not say so.',
    READ_COMMITTED,
    { shapes: ['observed transaction vanishes'] },
  ),
  ...at(
    RC,
    SINGLE,
    'documented',
    'Each statement has a new read snapshot: non-repeatable reads, phantom reads and lost updates are listed as possible.',
    READ_COMMITTED,
  ),
  ...at(RC, SINGLE, 'bug', 'Anomalies within a single statement are prevented: a statement reads one snapshot.', READ_COMMITTED, {
    when: 'one plain SELECT',
  }),
  ...at(
    RC,
    SINGLE,
    'bug',
    'Anomalies within a single statement are prevented, writes included: of two compare-and-sets from one value only one changes the row.',
    READ_COMMITTED,
    { when: 'compare-and-sets only' },
  ),
  ...at(RC, SKEW, 'documented', 'Write skew is listed as possible.', READ_COMMITTED),

  ...at(
    RR,
    SINGLE,
    'bug',
    'All statements of a transaction read one snapshot and a write of a row changed since then is refused: snapshot isolation (a preview, described by its design document alone).',
    DESIGN,
  ),
  ...at(RR, SKEW, 'undocumented', 'Snapshot isolation allows write skew; no page of the documentation describes this preview.', DESIGN),

  ...at(SER, [...SINGLE, ...SKEW], 'bug', 'Transactions have an effect as if they ran one at a time.', TRANSACTIONS),

  // Session order and real time.
  ...at(
    RC,
    timed([...SINGLE, ...SKEW]),
    'documented',
    'Each statement has its own snapshot: no order of whole transactions is kept.',
    READ_COMMITTED,
  ),
  ...at(RR, timed([...SINGLE, ...SKEW]), 'undocumented', 'No page of the documentation describes this preview.', DESIGN),
  ...at(
    SER,
    session([...SINGLE, ...SKEW]),
    'undocumented',
    'More than serializability and less than strict serializability is promised; the order of a session is not spoken of as such.',
    MODEL,
  ),
  ...at(
    SER,
    realtime([...SINGLE, ...SKEW]),
    'documented',
    'Transactions without a common row may be ordered against real time: causal reverse is possible.',
    MODEL,
  ),
  ...at(
    [...RC, ...SER],
    timed([...SINGLE, ...SKEW]),
    'bug',
    'Reads are globally consistent and never stale: per key, operations are linearizable.',
    MODEL,
    { shapes: FRESH },
  ),
  ...at(ALL, timed(EARLY), 'undocumented', 'Whether writers of different rows keep the order of time is not spoken of.', MODEL),
  ...at(
    [...RC, ...SER],
    timed([...SINGLE, ...SKEW]),
    'documented',
    'Follower reads are of the past, by their name and purpose.',
    TRANSACTIONS,
    { shapes: FRESH, configuration: { default_transaction_use_follower_reads: 'on' } },
  ),
];

function at(
  levels: readonly Level[],
  classes: readonly AnomalyClass[],
  verdict: PromiseRow['verdict'],
  says: string,
  from: PromiseSource,
  only: Pick<PromiseRow, 'shapes' | 'when' | 'configuration'> = {},
): readonly PromiseRow[] {
  return levels.map((level) => ({ level, classes, verdict, ...from, says, ...only }));
}
