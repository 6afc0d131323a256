/**
 * Images: what the user columns of a version held, as text. An INSERT or UPDATE that answers with its new versions gets
 * them right behind each version, as a nested array that begins with an empty string. Every version is made by one such
 * statement, so nothing has to be added to the reads, which are most of the work: the initial rows are read before the
 * run and the last versions at its end. An UPDATE that captures what it writes captures the image with it; an INSERT that
 * returns nothing makes what it states (stated-image.ts).
 */
import { hasSubquery, imageOf, versionItems } from '../../core/index.ts';
import type { Expression, PlainWrite, Table, Update } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';

/** The version that a write of a table returns, of a DELETE too, with its image. */
export function returnedRow(write: PlainWrite, table: Table | undefined): readonly Expression[] {
  return [...versionItems(write.table, write.table), ...(table === undefined ? [] : [imageOf(table, write.table)])];
}

/** Behind the version that a write returns; `table`: the one written, undefined where no images are wanted. */
export function returnedImage(write: PlainWrite, table: Table | undefined, views: Views): readonly Expression[] {
  if (table === undefined || write.kind === 'delete') return [];
  if (write.kind === 'insert' || write.through === undefined) return [imageOf(table, table.name)];
  const view = views.get(write.through);
  return view?.carries === 'row' && view.whole !== undefined ? [imageOf(table, write.through, view.whole)] : [];
}

/**
 * Captured in the last assignment the other columns are already those of the new version; but not where a server gathers
 * all new values before it writes one, as it may for a join, through a view, and for a subquery since that may become a join
 * (MariaDB 11.8 does so where the subquery reads the table itself).
 */
export function capturedImage(update: Update, table: Table | undefined): readonly Expression[] {
  const parts = [...(update.where === undefined ? [] : [update.where]), ...update.set.map(({ value }) => value)];
  if (table === undefined || update.from !== undefined || update.through !== undefined || parts.some(hasSubquery)) return [];
  return [imageOf(table, table.name)];
}
