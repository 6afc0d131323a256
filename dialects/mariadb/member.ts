/** MariaDB from 10.5, the first release with JSON_ARRAYAGG and INSERT ... RETURNING. */
import { galeraSettings } from './galera.ts';
import type { Member } from '../mysql-family/index.ts';
import { STRICT_MODE, refusal } from '../mysql-family/index.ts';

export const MEMBER: Member = {
  flavour: {
    title: 'MariaDB',
    collation: 'utf8mb4_nopad_bin',
    comments: 'mariadb',
    lockShare: 'LOCK IN SHARE MODE',
    // 10.5 has no SKIP LOCKED. There the server ignores the comment, and the lock waits.
    skipLocked: '/*M!100600 SKIP LOCKED */',
    orderedRollup: false,
    windowJson: false,
    slowJsonAggregate: true,
    emptiesCapture: true,
    unsupported: ['lateral', 'set default', 'cascade from nullable', 'autocommit subquery locks'],
    returning: { insert: true, update: false, delete: true },
    mergeHint: false,
    selfReference: true,
  },
  schemes: ['mariadb'],
  refuses: (version, url) => refusal(version, url, 'MariaDB', [10, 5]),
  // The performance schema is off by default, and so is its consumer of transactions.
  levelQueries: [
    {
      level: 'ISOLATION_LEVEL',
      from: `performance_schema.events_transactions_current WHERE STATE = 'ACTIVE' AND THREAD_ID = (SELECT THREAD_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = CONNECTION_ID())`,
    },
    { level: '@@tx_isolation' },
  ],
  sqlMode: STRICT_MODE,
  statementTimeout: (milliseconds) => [['max_statement_time', String(milliseconds / 1000)]],
  urlSettings: { innodb_snapshot_isolation: ['ON', 'OFF'], wsrep_sync_wait: Array.from({ length: 16 }, (_, bits) => String(bits)) },
  whereKnown: galeraSettings,
};
