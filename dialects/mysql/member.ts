/** MySQL from 8.0.31, the first release with INTERSECT and EXCEPT. */
import type { Member } from '../mysql-family/index.ts';
import { STRICT_MODE, refusal } from '../mysql-family/index.ts';

export const MEMBER: Member = {
  flavour: {
    title: 'MySQL',
    collation: 'utf8mb4_0900_bin',
    comments: 'mysql',
    lockShare: 'FOR SHARE',
    skipLocked: 'SKIP LOCKED',
    orderedRollup: true,
    windowJson: true,
    unsupported: ['set default', 'autocommit subquery locks', 'null of days'],
    returning: { insert: false, update: false, delete: false },
    mergeHint: true,
    flattens: true,
    emptiesCapture: true,
    selfReference: false,
  },
  schemes: ['mysql'],
  refuses: (version, url) => refusal(version, url, 'MySQL', [8, 0, 31]),
  // The first query needs performance_schema=ON and the privilege to read it. root has both by default.
  levelQueries: [
    {
      level: 'ISOLATION_LEVEL',
      from: `performance_schema.events_transactions_current WHERE THREAD_ID = PS_CURRENT_THREAD_ID() AND STATE = 'ACTIVE'`,
    },
    { level: '@@transaction_isolation' },
  ],
  sqlMode: [...STRICT_MODE, 'ONLY_FULL_GROUP_BY'],
  // It limits SELECT only. Lock timeouts limit the waits of other statements, and nothing limits their work.
  statementTimeout: (milliseconds) => [['max_execution_time', String(Math.trunc(milliseconds))]],
  killsLate: true,
  urlSettings: {},
};
