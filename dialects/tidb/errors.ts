/**
 * TiDB's own error numbers, and those that mean something else than in MySQL (TiDB's documents, error-codes and
 * troubleshoot-lock-conflicts). A COMMIT may have succeeded although it failed because a server of the cluster did not
 * answer. TiDB itself closes the connection if it does not know ("execution result undetermined").
 */
import type { ErrorRow } from '../mysql-family/index.ts';

export const ERRORS: readonly ErrorRow[] = [
  // The server rolls back the whole transaction.
  { errno: 9007, class: 'serialization', scope: 'transaction', means: 'write conflict: of optimistic transactions at COMMIT' },
  { errno: 8005, class: 'serialization', scope: 'transaction', means: 'write conflict, found by the TiDB server' },
  {
    errno: 8002,
    class: 'serialization',
    scope: 'transaction',
    means: 'SELECT FOR UPDATE of an optimistic transaction: conflict, cannot be retried',
  },
  { errno: 8022, class: 'serialization', scope: 'transaction', means: 'COMMIT failed and was rolled back' },
  { errno: 8027, class: 'other', scope: 'transaction', means: 'information schema out of date: the server lost its lease' },
  { errno: 8028, class: 'serialization', scope: 'transaction', means: 'information schema changed during the transaction' },
  {
    errno: 1105,
    words: /information schema is (changed|out of date)/i,
    class: 'serialization',
    scope: 'transaction',
    means: 'the same without a number of its own',
  },
  {
    errno: 8147,
    class: 'constraint',
    scope: 'transaction',
    means: 'duplicate key found late (tidb_constraint_check_in_place_pessimistic = OFF)',
  },
  { errno: 8004, class: 'other', scope: 'transaction', means: 'transaction too large' },
  { errno: 8141, class: 'other', scope: 'transaction', means: 'assertion failed: data and index disagree' },
  { errno: 9006, class: 'other', scope: 'transaction', means: 'older than the GC safe point' },

  // The outcome is not known.
  {
    errno: 1105,
    words: /undetermined/i,
    class: 'ambiguous commit',
    scope: 'connection',
    means: 'execution result undetermined: the server closes the connection',
  },
  { errno: 8501, words: /undetermined/i, class: 'ambiguous commit', scope: 'connection', means: 'the same with a number' },
  { errno: 9001, class: 'ambiguous commit', scope: 'transaction', means: 'PD timeout' },
  { errno: 9002, class: 'ambiguous commit', scope: 'transaction', means: 'TiKV timeout' },
  { errno: 9003, class: 'ambiguous commit', scope: 'transaction', means: 'TiKV busy' },
  { errno: 9004, class: 'ambiguous commit', scope: 'transaction', means: 'resolving locks timed out' },
  { errno: 9005, class: 'ambiguous commit', scope: 'transaction', means: 'region unavailable' },

  // Only the statement fails.
  { errno: 8048, class: 'syntax', scope: 'statement', means: 'isolation level that TiDB lacks' },
  { errno: 8108, class: 'syntax', scope: 'statement', means: 'unsupported type' },
  { errno: 8200, class: 'syntax', scope: 'statement', means: 'unsupported DDL' },
  { errno: 8121, class: 'permission', scope: 'statement', means: 'privilege check failed' },
  {
    errno: 1105,
    words: /do(es)? not support|not supported/i,
    class: 'syntax',
    scope: 'statement',
    means: 'a form that the planner refuses',
  },
];
