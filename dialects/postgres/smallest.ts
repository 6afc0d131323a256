/**
 * PostgreSQL's smallest limits (its documents, "Lock Management" and "Resource Consumption"). Predicate locks are
 * promoted at once from a row to its page and its table. Committed transactions are summarized after about two hundred,
 * ten for each connection and background worker. Autovacuum runs every second.
 */
export const SMALLEST: Readonly<Record<string, string>> = {
  max_connections: '16',
  max_worker_processes: '0',
  max_wal_senders: '0',
  autovacuum_max_workers: '1',
  autovacuum_naptime: '1s',
  autovacuum_vacuum_threshold: '1',
  autovacuum_vacuum_scale_factor: '0',
  max_locks_per_transaction: '10',
  max_pred_locks_per_transaction: '10',
  max_pred_locks_per_relation: '1',
  max_pred_locks_per_page: '0',
  shared_buffers: '1MB',
  work_mem: '64kB',
};
