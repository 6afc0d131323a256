/**
 * MariaDB's promises. The first rows are those of innodb_snapshot_isolation at REPEATABLE READ (off by default up to
 * 11.6.1, on since 11.6.2) and of Galera clusters. The family's rows over MariaDB's own documents follow.
 */
import type { Level, PromiseRow, PromiseSource } from '../../core/level/index.ts';
import { SINGLE, SKEW, at, familyPromises, timed } from '../mysql-family/index.ts';

export const LEVELS: PromiseSource = {
  source: 'https://mariadb.com/docs/server/reference/sql-statements/administrative-sql-statements/set-commands/set-transaction',
  version: 'every',
  date: '2026-11-21',
};
/** A transaction begins and ends as its client is told. */
export const TRANSACTION: PromiseSource & { readonly says: string } = {
  source: 'https://mariadb.com/kb/en/start-transaction',
  version: 'every',
  date: '2026-11-23',
  says: 'START TRANSACTION begins a new transaction; COMMIT commits the current one and makes its changes permanent, ROLLBACK cancels them.',
};
const SNAPSHOT: PromiseSource = {
  source: 'https://mariadb.com/docs/server/server-usage/storage-engines/innodb/innodb-system-variables',
  version: 'every',
  date: '2026-11-21',
};
const GALERA: PromiseSource = {
  source: 'https://mariadb.com/docs/galera-cluster/reference/mariadb-galera-cluster-known-limitations',
  version: 'every',
  date: '2026-03-31',
};
const NESTED: PromiseSource = {
  source: 'https://dev.mysql.com/doc/refman/9.5/en/innodb-locking-reads.html',
  version: 'MySQL 9.5',
  date: '2025-10-21',
  holds: "MariaDB's own pages do not speak of it; MariaDB 10.11.19 did as this manual of InnoDB says (docs/MATRIX.md)",
};

const SNAPSHOT_ISOLATION = { innodb_snapshot_isolation: 'ON' } as const;
const CLUSTER = { wsrep_on: 'ON' } as const;
/** All transactions ran on one node, where InnoDB's own locks and snapshots apply. A single URL may also be that of a proxy. */
const ON_ONE_NODE = { ...CLUSTER, endpoints: 'one' } as const;
const ALL: readonly Level[] = ['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable'];
const LOST_UPDATE = 'Lost updates between transactions on different nodes are a known limitation, listed since March 2026.';

export const PROMISES: readonly PromiseRow[] = [
  ...at(
    ['repeatable-read'],
    [...SINGLE, 'internal'],
    'bug',
    'With innodb_snapshot_isolation a transaction that would lock a row changed since its snapshot fails with ER_CHECKREAD and is rolled back: no lost update, no read-write skew, no change of a row that the snapshot does not show.',
    SNAPSHOT,
    { configuration: SNAPSHOT_ISOLATION },
  ),

  ...at(['repeatable-read'], SINGLE, 'documented', LOST_UPDATE, GALERA, { configuration: { ...CLUSTER, ...SNAPSHOT_ISOLATION } }),
  ...at(
    ['repeatable-read'],
    ['internal'],
    'undocumented',
    `${LOST_UPDATE} What the transaction that loses the other's change then reads of its own is not spoken of.`,
    GALERA,
    { configuration: { ...CLUSTER, ...SNAPSHOT_ISOLATION } },
  ),
  ...at(
    ['repeatable-read'],
    SINGLE,
    'bug',
    'Reads of a cluster are of one consistent point in time: a distributed variant of snapshot isolation.',
    GALERA,
    { configuration: { ...CLUSTER, ...SNAPSHOT_ISOLATION }, when: 'snapshot reads only' },
  ),
  ...at(
    ['serializable'],
    [...SINGLE, ...SKEW],
    'documented',
    `SERIALIZABLE locks what is read on its own node only: across the cluster isolation is between SERIALIZABLE and REPEATABLE READ. ${LOST_UPDATE}`,
    GALERA,
    { configuration: CLUSTER },
  ),
  ...at(['repeatable-read'], [...SINGLE, ...SKEW], 'documented', `${LOST_UPDATE} Locks are those of one node.`, GALERA, {
    configuration: CLUSTER,
    when: 'locking reads only',
  }),
  ...at(
    ['read-uncommitted', 'read-committed', 'repeatable-read'],
    SINGLE,
    'documented',
    `${LOST_UPDATE} So may those of compare-and-sets be.`,
    GALERA,
    { configuration: CLUSTER, when: 'compare-and-sets only' },
  ),
  ...at(
    ['read-uncommitted', 'read-committed', 'repeatable-read'],
    SINGLE,
    'bug',
    'On one node an UPDATE locks the row that it changes and decides its WHERE on the newest version, as it does without a cluster.',
    LEVELS,
    { configuration: ON_ONE_NODE, when: 'compare-and-sets only' },
  ),
  ...at(
    ALL,
    timed([...SINGLE, ...SKEW]),
    'documented',
    'Stale reads on another node are a known limitation with wsrep_sync_wait = 0, listed since March 2026.',
    GALERA,
    { configuration: { ...CLUSTER, wsrep_sync_wait: '0' } },
  ),
  ...at(
    ['repeatable-read'],
    SINGLE,
    'bug',
    'The limitation is of transactions on different nodes: on one node innodb_snapshot_isolation rules a lost update out as it does without a cluster.',
    GALERA,
    { configuration: { ...ON_ONE_NODE, ...SNAPSHOT_ISOLATION } },
  ),
  ...at(
    ['serializable'],
    [...SINGLE, ...SKEW],
    'bug',
    'On one node every plain SELECT locks what it reads, as it does without a cluster.',
    LEVELS,
    { configuration: ON_ONE_NODE },
  ),
  ...at(
    ['serializable'],
    [...SINGLE, ...SKEW],
    'documented',
    'Not the subqueries of an autocommit SELECT ... FOR, on one node as without a cluster.',
    NESTED,
    { configuration: ON_ONE_NODE, when: 'an autocommit locking SELECT with a subquery' },
  ),
  ...at(
    ['repeatable-read', 'serializable'],
    timed(SINGLE),
    'undocumented',
    'Session order and real time on one node are not spoken of.',
    GALERA,
    { configuration: { ...ON_ONE_NODE, wsrep_sync_wait: '0' } },
  ),

  ...familyPromises({
    transaction: TRANSACTION,
    levels: LEVELS,
    consistent: LEVELS,
    locks: LEVELS,
    current: {
      ...SNAPSHOT,
      says: 'Without innodb_snapshot_isolation a locking read, UPDATE or DELETE works on the newest committed row, whatever the snapshot of its transaction shows; the setting exists because of the lost updates that follow.',
    },
    nested: NESTED,
    serializable: LEVELS,
  }),
];
