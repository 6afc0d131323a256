/**
 * TiDB's own error numbers, and those that it means otherwise than MySQL (TiDB's documents, error-codes and
 * troubleshoot-lock-conflicts). What fails at COMMIT because a server of the cluster does not answer may have happened all
 * the same; TiDB itself closes the connection where it cannot tell ("execution result undetermined").
 */
import type { ErrorRow } from '../mysql-family/index.ts';

export const ERRORS: readonly ErrorRow[] = [
  // The transaction is rolled back as a whole
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

  // Whether it happened is not known
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

  // The statement
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
