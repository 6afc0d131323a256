/** The columns that carry row versions: two in every table, without any constraint, and one behind a statement's own. */
import type { Column, Table } from '../schema.ts';

/** Names a row for life (rowId of write-list.ts). */
export const RID_COLUMN = 'iso_rid';
/** The row's write list. */
export const LIST_COLUMN = 'iso_w';
/** The one extra result column of an exactly instrumented statement: JSON (show.ts). */
export const READS_COLUMN = 'iso_reads';

/** The table's columns without ours and without those that the server computes, in their order: what an image holds. */
export function userColumnsOf(table: Table): readonly Column[] {
  return table.columns.filter(({ name, generated }) => generated === undefined && name !== RID_COLUMN && name !== LIST_COLUMN);
}
