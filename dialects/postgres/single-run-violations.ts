/** PostgreSQL's documents on violations that a single run shows, whatever order explains its transactions. */
import type { SingleRunViolationRow, PromiseSource } from '../../core/level/index.ts';
import { TRANSACTION } from './promises.ts';

const REINDEX: PromiseSource = {
  source: 'https://www.postgresql.org/docs/11/sql-reindex.html',
  version: '11',
  date: '2026-11-23',
  holds:
    'the sentence on indexes is the same from 7.4 on; the audit of whole tables is run on 18 by test/db/audit.test.ts; on keys the documents of 18 were not read again',
};

const ISOLATION: PromiseSource = { source: 'https://www.postgresql.org/docs/18/transaction-iso.html', version: '18', date: '2026-11-22' };

export const SINGLE_RUN_VIOLATIONS: readonly SingleRunViolationRow[] = [
  { kind: 'transaction state', verdict: 'bug', ...TRANSACTION },
  {
    kind: 'damaged tables',
    verdict: 'bug',
    says: 'REINDEX is for an index that no longer contains valid data: in theory this should never happen. A unique constraint keeps a value unique among all rows of the table, a foreign key makes the values of its columns match some row of the other table.',
    ...REINDEX,
  },
  {
    kind: 'part of a transaction',
    reading: 'plain',
    verdict: 'bug',
    says: 'A SELECT sees only data committed before it began, in effect a snapshot as of the instant at which it begins to run (13.2.1), or one of the instant at which its transaction did (13.2.2, 13.2.3).',
    ...ISOLATION,
  },
  {
    kind: 'part of a transaction',
    reading: 'locking',
    levels: ['read-uncommitted', 'read-committed'],
    verdict: 'documented',
    says: 'It is possible for an updating command to see an inconsistent snapshot: the effects of concurrent updating commands on the rows that it tries to update, not those of the same commands on other rows (13.2.1).',
    ...ISOLATION,
  },
  {
    kind: 'part of a transaction',
    reading: 'locking',
    verdict: 'bug',
    says: 'An UPDATE, DELETE or SELECT FOR finds rows as of the start of its transaction, and one that another transaction has changed since then ends its own (13.2.2, 13.2.3).',
    ...ISOLATION,
  },
];
