/** MariaDB's documents on violations that a single run shows. */
import type { SingleRunViolationRow } from '../../core/level/index.ts';
import { familyViolations } from '../mysql-family/index.ts';
import { LEVELS, TRANSACTION } from './promises.ts';

export const SINGLE_RUN_VIOLATIONS: readonly SingleRunViolationRow[] = familyViolations({
  levels: LEVELS,
  consistent: LEVELS,
  transaction: TRANSACTION,
  keys: {
    source: 'https://mariadb.com/docs/sql/features/constraints/enterprise-server/foreign-key/',
    version: 'every',
    date: '2026-11-23',
    says: 'Referential constraints let the database ensure that each row of the child table has a valid row in the parent table. Of indexes that disagree with their table no page speaks as of something that may be.',
  },
});
