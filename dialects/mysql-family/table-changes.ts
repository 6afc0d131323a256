/** The queries for InnoDB's servers when programs change tables (DDL). */
import type { ChangeRow, PromiseSource } from '../../core/level/index.ts';
import type { TableChanges } from '../../core/dialect/index.ts';
import { quoteName } from './quote.ts';

const ER_TABLE_DEF_CHANGED = '1412';

/** `says`: what the page says about a transaction whose snapshot is older than the table. */
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

/** `watch` also reports waits for a metadata lock. */
export function innodbTableChanges(rows: readonly ChangeRow[], watch?: TableChanges['watch']): TableChanges {
  return {
    rows,
    // MariaDB refuses to drop a parent together with its child in one statement, and any table of a program may be the
    // parent.
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
