/**
 * MariaDB's promises: the family's rows over its own pages, then what innodb_snapshot_isolation adds at REPEATABLE READ
 * (off by default up to 11.6.1, on since 11.6.2), then what a Galera cluster takes away.
 */
import type { PromiseRow } from '../../core/index.ts';
import { SINGLE, SKEW, at, familyPromises, timed } from '../mysql-family/index.ts';

const LEVELS = { source: 'https://mariadb.com/docs/server/reference/sql-statements/administrative-sql-statements/set-commands/set-transaction', date: '2026-11-21' } as const;
const SNAPSHOT = { source: 'https://mariadb.com/docs/server/server-usage/storage-engines/innodb/innodb-system-variables', date: '2026-11-21' } as const;
const GALERA = { source: 'https://mariadb.com/docs/galera-cluster/reference/mariadb-galera-cluster-known-limitations', date: '2026-03-31' } as const;

const SNAPSHOT_ISOLATION = { innodb_snapshot_isolation: 'ON' } as const;
const CLUSTER = { wsrep_on: 'ON' } as const;
const LOST_UPDATE = 'Lost updates between transactions on different nodes are a known limitation, listed since March 2026.';

export const PROMISES: readonly PromiseRow[] = [
  ...at(['repeatable-read'], [...SINGLE, 'internal'], 'bug', 'With innodb_snapshot_isolation a transaction that would lock a row changed since its snapshot fails with ER_CHECKREAD and is rolled back: no lost update, no read-write skew, no change of a row that the snapshot does not show.', SNAPSHOT, { configuration: SNAPSHOT_ISOLATION }),

  ...at(['repeatable-read'], SINGLE, 'documented', LOST_UPDATE, GALERA, { configuration: { ...CLUSTER, ...SNAPSHOT_ISOLATION } }),
  ...at(['repeatable-read'], SINGLE, 'bug', 'Reads of a cluster are of one consistent point in time: a distributed variant of snapshot isolation.', GALERA, { configuration: { ...CLUSTER, ...SNAPSHOT_ISOLATION }, when: 'snapshot reads only' }),
  ...at(['serializable'], [...SINGLE, ...SKEW], 'documented', `Across the cluster isolation is between SERIALIZABLE and REPEATABLE READ. ${LOST_UPDATE}`, GALERA, { configuration: CLUSTER }),
  ...at(['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable'], timed([...SINGLE, ...SKEW]), 'documented', 'Stale reads on another node are a known limitation with wsrep_sync_wait = 0, listed since March 2026.', GALERA, { configuration: { ...CLUSTER, wsrep_sync_wait: '0' }, shapes: ['read your writes', 'monotonic reads', 'monotonic writes', 'writes follow reads', 'stale read'] }),

  ...familyPromises(LEVELS, {
    ...SNAPSHOT,
    says: 'Without innodb_snapshot_isolation a locking read, UPDATE or DELETE works on the newest committed row, whatever the snapshot of its transaction shows; the setting exists because of the lost updates that follow.',
  }),
];
