/**
 * Makes views carry the columns. A view over one table whose rows can be updated through it shows the row id and the
 * list themselves. Every other view shows an `iso_reads` of its own, if its query can carry one in place.
 *
 * If an UPDATE is to return its new version (images.ts), such a view has the table's other columns too, under names of
 * ours. Its own columns do not hold the whole new version, and the other names cannot be taken for columns of the
 * user's.
 */
import { READS_COLUMN, leavesOf, userColumnsOf, versionColumns } from '../../core/index.ts';
import type { Schema, SelectItem, View } from '../../core/index.ts';
import type { CarriedView, Views } from './carried-view.ts';
import { inPlace } from '../exact/in-place.ts';
import { withoutNatural } from '../shape.ts';

/** A column of the table that a simple view leaves out. */
const HIDDEN = 'iso_h';

/** `whole` says that simple views have all columns of their tables. */
export function carriedViews(schema: Schema, whole: boolean): Views {
  const views = new Map<string, CarriedView>();
  const columns = new Map(whole ? schema.tables.map((table) => [table.name, userColumnsOf(table).map(({ name }) => name)]) : []);
  for (const view of schema.views ?? []) views.set(view.name, carriedView({ ...view, query: withoutNatural(view.query) }, views, columns));
  return views;
}

function carriedView(view: View, views: Views, columns: ReadonlyMap<string, readonly string[]>): CarriedView {
  const { query, updates } = view;
  if (updates !== undefined && query.kind === 'select') {
    const alias = leavesOf(query.from)[0]!.alias;
    const names = columns.get(updates);
    const whole = names?.map((name, i) => (query.items.some((item) => item.alias === name) ? name : `${HIDDEN}${i}`));
    const added = (whole ?? []).flatMap((name, i): readonly SelectItem[] =>
      name === names![i] ? [] : [{ expression: { kind: 'column', table: alias, column: names![i]! }, alias: name }],
    );
    return {
      view,
      carries: 'row',
      table: updates,
      ...(whole && { whole }),
      definition: { ...view, query: { ...query, items: [...query.items, ...added, ...versionColumns(alias)] } },
    };
  }
  const { query: carrying, hidden } = inPlace(query, views);
  if (carrying === undefined) return { view, carries: 'nothing', definition: view, hidden };
  return { view, carries: READS_COLUMN, definition: { ...view, query: carrying }, ...(hidden !== undefined && { hidden }) };
}
