/**
 * MariaDB's smallest limits (its documents, "InnoDB System Variables"): a small buffer pool, which holds the table of locks
 * too, undo that is cut off as soon as it may be, and purge in the smallest steps.
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
