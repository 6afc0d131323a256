/**
 * SQLSTATEs that only CockroachDB has (its documents, transaction-retry-error-reference and common-errors; the pgcode
 * package). The others mean the same as in PostgreSQL. 40001 may come at any statement and at COMMIT, deadlocks
 * included. With 40003 the result of a commit is not known.
 */
import type { ErrorRow } from '../postgres/errors.ts';

export const ERRORS: readonly ErrorRow[] = [
  // The timeout's error replaces any reply of the statement, even the success of an automatic or explicit COMMIT.
  { state: '57014', class: 'ambiguous commit', means: 'query_canceled: at COMMIT it may have committed' },
  { state: 'XXA00', class: 'ambiguous commit', means: 'committed, but a schema change within it failed: what later reads show decides' },
  { state: '58C00', class: 'ambiguous commit', means: 'range unavailable' },
  { state: '58C01', class: 'connection', means: 'internal connection failure' },
  { state: '08C00', class: 'connection', means: 'proxy connection error' },
  { state: 'XXC01', class: 'permission', means: 'needs a licensed build' },
  { state: 'XXC02', class: 'permission', means: 'needs a valid licence' },
];
