/** The queries for PostgreSQL when programs change tables (DDL), and what its documents allow then. */
import type { ChangeRow, PromiseSource } from '../../core/level/index.ts';
import type { TableChanges } from '../../core/dialect/index.ts';
import { quoteName } from './quote.ts';

const CAVEATS: PromiseSource = {
  source: 'https://www.postgresql.org/docs/18/mvcc-caveats.html',
  version: '18',
  date: '2026-11-24',
  holds: 'read in a copy of the page; the first sentence stands alike in that of 9.4',
};
/** The levels at which a transaction keeps its snapshot. */
const SNAPSHOTS = ['repeatable-read', 'serializable'] as const;

const ROWS: readonly ChangeRow[] = [
  {
    changes: ['truncate', 'widen column'],
    when: 'behind it',
    levels: SNAPSHOTS,
    verdict: 'documented',
    says: 'TRUNCATE and the forms of ALTER TABLE that rewrite the table are not MVCC-safe: once they have committed the table appears empty to transactions whose snapshot is older and that had not come to the table before, so it may not agree with other tables (13.6).',
    ...CAVEATS,
  },
  {
    changes: ['add column', 'drop column', 'rename column', 'rename'],
    when: 'beside it',
    levels: SNAPSHOTS,
    verdict: 'documented',
    says: "The system catalogs are not accessed at the transaction's isolation level: what one transaction changes in them the others meet at once, at REPEATABLE READ and SERIALIZABLE too (13.6). So the names and the columns of a table are in no snapshot, and in no serial order.",
    ...CAVEATS,
  },
  {
    changes: ['truncate'],
    when: 'beside it',
    levels: SNAPSHOTS,
    verdict: 'undocumented',
    says: 'TRUNCATE is not MVCC-safe, the page says, and speaks of those that read the table later (13.6). Of a TRUNCATE whose own snapshot is older than the rows that it takes away, which a DELETE would refuse, it does not speak.',
    ...CAVEATS,
  },
  {
    changes: ['create index', 'add check', 'add unique', 'add foreign key'],
    when: 'beside its check',
    levels: ['serializable'],
    verdict: 'undocumented',
    says: 'A constraint that is added is checked against the rows of its table: whether against those of the snapshot or the newest ones the page on what is not MVCC-safe does not say (13.6).',
    ...CAVEATS,
  },
];

export const TABLE_CHANGES: TableChanges = {
  rows: ROWS,
  drop: (tables, namespace) => `DROP TABLE IF EXISTS ${tables.map((table) => quoteName(table, { namespace })).join(', ')}`,
  readWhole: (table, namespace) => `SELECT * FROM ${quoteName(table, { namespace })}`,
};
