/**
 * MySQL's promises: the family's rows over its manual. The note on mixed statements was added to the manual after
 * Jepsen's report on 8.0.34 (jepsen.io/analyses/mysql-8.0.34).
 */
import type { PromiseRow } from '../../core/index.ts';
import { familyPromises } from '../mysql-family/index.ts';

const ISOLATION = { source: 'https://dev.mysql.com/doc/refman/9.5/en/innodb-transaction-isolation-levels.html', date: '2025-10-21' } as const;

export const PROMISES: readonly PromiseRow[] = familyPromises(ISOLATION, {
  ...ISOLATION,
  says: 'Locking statements (UPDATE, INSERT, DELETE, SELECT ... FOR) use the most recent state of the database, plain SELECTs the read view: the two table states are inconsistent with each other, and mixing them in one REPEATABLE READ transaction is not recommended.',
}, { source: 'https://dev.mysql.com/doc/refman/9.5/en/innodb-locking-reads.html', date: '2025-10-21' });
