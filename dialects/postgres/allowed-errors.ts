/** Constraint errors that PostgreSQL's documents allow although no serial order raises them. */
import type { ErrorRow } from '../../core/level/index.ts';

const UNIQUE_VIOLATION = '23505';

export const ALLOWED_ERRORS: readonly ErrorRow[] = [
  {
    codes: [UNIQUE_VIOLATION],
    levels: ['serializable'],
    when: 'the row came from an overlapping transaction',
    verdict: 'documented',
    says: 'Errors may be raised that true serial execution would not raise: violations of unique constraints, caused by conflicts with overlapping Serializable transactions (13.2.3).',
    source: 'https://www.postgresql.org/docs/18/transaction-iso.html',
    version: '18',
    date: '2026-11-23',
    holds: 'read in a copy of the page; 13.5 of 15 to 18 speaks of corner cases of the same kind',
  },
];
