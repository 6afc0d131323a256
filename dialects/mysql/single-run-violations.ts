/** MySQL's documents on violations that a single run shows. */
import type { SingleRunViolationRow } from '../../core/level/index.ts';
import { familyViolations } from '../mysql-family/index.ts';
import { CONSISTENT, LEVELS, TRANSACTION } from './promises.ts';

export const SINGLE_RUN_VIOLATIONS: readonly SingleRunViolationRow[] = familyViolations({
  levels: LEVELS,
  consistent: CONSISTENT,
  transaction: TRANSACTION,
  keys: {
    source: 'https://dev.mysql.com/doc/refman/8.2/en/create-table-foreign-keys.html',
    version: '8.2',
    date: '2026-11-23',
    holds: 'not re-read for 9.7: what the audit asks is run on MySQL 9.7 by test/db/audit.test.ts',
    says: 'Foreign key constraints keep related data consistent: a change that would leave a row of the child table without its row in the parent table is rejected. Of indexes that disagree with their table no page speaks as of something that may be.',
  },
});
