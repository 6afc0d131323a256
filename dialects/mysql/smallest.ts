/**
 * MySQL's smallest limits (its documents, "InnoDB Startup Options and System Variables"). The buffer pool of 5 MB also
 * limits the lock table. Undo logs are truncated early, and purge batches are smallest.
 */
export const SMALLEST: Readonly<Record<string, string>> = {
  'max-connections': '20',
  'innodb-buffer-pool-size': '5M',
  'innodb-buffer-pool-chunk-size': '1M',
  'innodb-redo-log-capacity': '8M',
  'innodb-rollback-segments': '1',
  'innodb-max-undo-log-size': '10M',
  'innodb-purge-batch-size': '1',
  'innodb-purge-rseg-truncate-frequency': '1',
  'innodb-sort-buffer-size': '65536',
  'innodb-log-buffer-size': '256K',
};
