/**
 * MySQL's promises: the family's rows over its manual. The manual got its note on mixed statements after Jepsen's
 * report on 8.0.34 (jepsen.io/analyses/mysql-8.0.34). Two pages of the manual of 9.7 could be read, in Oracle's copy. A
 * row that needs other pages says which version we read, and what replaced reading.
 */
import type { PromiseRow, PromiseSource } from '../../core/level/index.ts';
import { familyPromises } from '../mysql-family/index.ts';

export const CONSISTENT: PromiseSource = {
  source: 'https://docs.oracle.com/cd/E17952_01/mysql-9.7-en/innodb-consistent-read.html',
  version: '9.7',
  date: '2026-11-22',
};
const LOCKS: PromiseSource = {
  source: 'https://docs.oracle.com/cd/E17952_01/mysql-9.7-en/innodb-locks-set.html',
  version: '9.7',
  date: '2026-11-22',
  holds:
    'its beginning was read (a locking read, an UPDATE, a DELETE lock every index record that they scan, and the gap before it); how long, and the tables of subqueries, were not re-read for 9.7: every level was executed on MySQL 9.7.4 (docs/MATRIX.md)',
};
export const LEVELS: PromiseSource = {
  source: 'https://dev.mysql.com/doc/refman/9.5/en/innodb-transaction-isolation-levels.html',
  version: '9.5',
  date: '2025-10-21',
  holds: 'not re-read for 9.7: every level was executed on MySQL 9.7.4 (docs/MATRIX.md)',
};

/** A transaction begins and ends as its client is told. */
export const TRANSACTION: PromiseSource & { readonly says: string } = {
  source: 'https://dev.mysql.com/doc/refman/9.1/en/commit.html',
  version: '9.1',
  date: '2026-11-23',
  holds: 'not re-read for 9.7: what the protocol says is read on MySQL 9.7 by test/db/planted-faults.test.ts',
  says: 'With START TRANSACTION, autocommit remains disabled until the transaction is ended with COMMIT or ROLLBACK.',
};

export const PROMISES: readonly PromiseRow[] = familyPromises({
  transaction: TRANSACTION,
  levels: LEVELS,
  consistent: CONSISTENT,
  locks: LOCKS,
  current: {
    ...LEVELS,
    says: 'Locking statements (UPDATE, INSERT, DELETE, SELECT ... FOR) use the most recent state of the database, plain SELECTs the read view: the two table states are inconsistent with each other, and mixing them in one REPEATABLE READ transaction is not recommended.',
    holds:
      'not re-read for 9.7, whose page on consistent reads warns of the same: of rows that it has updated a transaction sees the latest version, of others perhaps older ones, a state that the table never had; every level was executed on MySQL 9.7.4 (docs/MATRIX.md)',
  },
  nested: {
    source: 'https://dev.mysql.com/doc/refman/9.5/en/innodb-locking-reads.html',
    version: '9.5',
    date: '2025-10-21',
    holds: 'not re-read for 9.7: the statement is executed on MySQL 9.7 by test/db/autocommit-subquery.test.ts',
  },
  serializable: {
    ...LEVELS,
    holds:
      'not re-read for 9.7, whose page on locks has a SELECT set no locks unless the level is SERIALIZABLE; that level was executed on MySQL 9.7.4 (docs/MATRIX.md)',
  },
});
