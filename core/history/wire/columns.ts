/**
 * The columns that carry row versions: two in every table, without any constraint, and one behind a statement's own
 * result columns.
 */
import type { Column, Table } from '../../sql/index.ts';

/** The row's id, which never changes (rowId of write-list.ts). */
export const RID_COLUMN = 'iso_rid';
/** The row's write list. */
export const LIST_COLUMN = 'iso_w';
/** The extra result column of an exactly instrumented statement, as JSON (show.ts). */
export const READS_COLUMN = 'iso_reads';

/** The columns that an image holds, in order: the table's without the auxiliary and the generated ones. */
export function userColumnsOf(table: Table): readonly Column[] {
  return table.columns.filter(({ name, generated }) => generated === undefined && name !== RID_COLUMN && name !== LIST_COLUMN);
}
