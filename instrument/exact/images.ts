/**
 * Images are the values of a version's user columns, as text. An INSERT or UPDATE that answers with its new versions
 * gets them right behind each version, as a nested array that begins with an empty string. One such statement makes
 * every version, so nothing has to be added to the reads, which are most of the work. The initial rows are read before
 * the run and the last versions at its end. An UPDATE that captures its rows captures the image with them. For an
 * INSERT that returns nothing, stated-image.ts makes the image from its values.
 */
import { hasSubquery, imageOf, versionItems } from '../../core/index.ts';
import type { Expression, PlainWrite, Table, Update } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';

/** Returns the version that a write of a table returns, of a DELETE too, with its image. */
export function returnedRow(write: PlainWrite, table: Table | undefined): readonly Expression[] {
  return [...versionItems(write.table, write.table), ...(table === undefined ? [] : [imageOf(table, write.table)])];
}

/**
 * Returns the image behind the version that a write returns. `table` is the table written, undefined if no images are
 * wanted.
 */
export function returnedImage(write: PlainWrite, table: Table | undefined, views: Views): readonly Expression[] {
  if (table === undefined || write.kind === 'delete') return [];
  if (write.kind === 'insert' || write.through === undefined) return [imageOf(table, table.name)];
  const view = views.get(write.through);
  return view?.carries === 'row' && view.whole !== undefined ? [imageOf(table, write.through, view.whole)] : [];
}

/**
 * In the last assignment the other columns already have the new version's values. This fails on a server that gathers
 * all new values before it writes one. A server may do so for a join, through a view, and for a subquery that may
 * become a join (MariaDB 11.8 does so if the subquery reads the table itself).
 */
export function capturedImage(update: Update, table: Table | undefined): readonly Expression[] {
  const parts = [...(update.where === undefined ? [] : [update.where]), ...update.set.map(({ value }) => value)];
  if (table === undefined || update.from !== undefined || update.through !== undefined || parts.some(hasSubquery)) return [];
  return [imageOf(table, table.name)];
}
