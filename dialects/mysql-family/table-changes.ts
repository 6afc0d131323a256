/** What InnoDB's servers are asked where programs change tables themselves. */
import type { ChangeRow, PromiseSource, TableChanges } from '../../core/index.ts';
import { quoteName } from './quote.ts';

const ER_TABLE_DEF_CHANGED = '1412';

/** `says`: of a transaction whose snapshot is older than the table. */
export function changedDefinition(from: PromiseSource & { readonly says: string }): ChangeRow {
  return {
    changes: [
      'truncate',
      'create index',
      'drop index',
      'add column',
      'drop column',
      'rename column',
      'rename',
      'widen column',
      'add check',
      'add unique',
      'add foreign key',
    ],
    when: 'behind it',
    levels: ['repeatable-read', 'serializable'],
    codes: [ER_TABLE_DEF_CHANGED],
    verdict: 'documented',
    ...from,
  };
}

/** `watch`: sees who waits for a table's definition. */
export function innodbTableChanges(rows: readonly ChangeRow[], watch?: TableChanges['watch']): TableChanges {
  return {
    rows,
    // MariaDB refuses a parent whose child goes in the same statement, and programs choose who refers to whom.
    drop: (tables, namespace) =>
      [
        'SET SESSION foreign_key_checks = 0',
        `DROP TABLE IF EXISTS ${tables.map((table) => quoteName(table, { namespace })).join(', ')}`,
        'SET SESSION foreign_key_checks = 1',
      ].join('; '),
    readWhole: (table, namespace) => `SELECT * FROM ${quoteName(table, { namespace })}`,
    ...(watch && { watch }),
  };
}
