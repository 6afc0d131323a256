/** MySQL's page on consistent reads, and its statement about DDL beside other transactions. */
import type { TableChanges } from '../../core/dialect/index.ts';
import { changedDefinition, innodbTableChanges } from '../mysql-family/index.ts';

export const TABLE_CHANGES: TableChanges = innodbTableChanges([
  changedDefinition({
    source: 'https://dev.mysql.com/doc/refman/9.5/en/innodb-consistent-read.html',
    version: 'every',
    date: '2026-11-24',
    holds:
      'the sentence was read as bug 116132 quotes it from the page of 8.0; that report, which the vendor verified, says that the error comes of changes too that copy nothing',
    says: 'A consistent read does not work over DROP TABLE, nor over an ALTER TABLE that puts a copy in the place of the table: its rows were not there when the snapshot was taken, and the transaction is told ER_TABLE_DEF_CHANGED (1412), please retry transaction.',
  }),
]);
