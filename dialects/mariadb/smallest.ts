/**
 * MariaDB's smallest limits (its documents, "InnoDB System Variables"). The small buffer pool also limits the lock
 * table. Undo logs are truncated early, and purge batches are smallest.
 */
export const SMALLEST: Readonly<Record<string, string>> = {
  'max-connections': '20',
  'innodb-buffer-pool-size': '6M',
  'innodb-log-file-size': '4M',
  'innodb-undo-log-truncate': 'ON',
  'innodb-max-undo-log-size': '10M',
  'innodb-purge-batch-size': '1',
  'innodb-purge-rseg-truncate-frequency': '1',
  'innodb-sort-buffer-size': '65536',
  'innodb-log-buffer-size': '2M',
};
