/**
 * MariaDB's documents on statements that change a table beside others. The InnoDB status shows no waits for a metadata
 * lock, but the process list does.
 */
import type { TableChanges } from '../../core/dialect/index.ts';
import { changedDefinition, innodbTableChanges, watchInnodbLocks, watchInnodbStatus, withDefinitionWaits } from '../mysql-family/index.ts';

export const TABLE_CHANGES: TableChanges = innodbTableChanges(
  [
    changedDefinition({
      source:
        'https://mariadb.com/docs/server/reference/error-codes/mariadb-error-codes-1400-to-1499/error-1412-table-definition-has-changed-please-retry-transaction',
      version: 'every',
      date: '2026-11-24',
      holds: "the page has the error's own words and nothing more",
      says: 'Error 1412, ER_TABLE_DEF_CHANGED: the definition of the table has changed, please retry transaction.',
    }),
  ],
  (connection) => withDefinitionWaits(connection, watchInnodbStatus(connection, watchInnodbLocks(connection))),
);
