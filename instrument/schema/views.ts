/**
 * Views that carry the columns. A view over one table whose rows can be updated through it shows the row id and the
 * list themselves; every other one an `iso_reads` of its own, if its query can carry one in place.
 */
import { READS_COLUMN, leavesOf, versionColumns } from '../../core/index.ts';
import type { Schema, View } from '../../core/index.ts';
import type { CarriedView, Views } from './carried-view.ts';
import { inPlace } from '../exact/in-place.ts';
import { withoutNatural } from '../shape.ts';

export function carriedViews(schema: Schema): Views {
  const views = new Map<string, CarriedView>();
  for (const view of schema.views ?? []) views.set(view.name, carriedView({ ...view, query: withoutNatural(view.query) }, views));
  return views;
}

function carriedView(view: View, views: Views): CarriedView {
  const { query } = view;
  if (view.updates !== undefined && query.kind === 'select') {
    const alias = leavesOf(query.from)[0]!.alias;
    return {
      view,
      carries: 'row',
      table: view.updates,
      definition: { ...view, query: { ...query, items: [...query.items, ...versionColumns(alias)] } },
    };
  }
  const { query: carrying, hidden } = inPlace(query, views);
  if (carrying === undefined) return { view, carries: 'nothing', definition: view, hidden };
  return { view, carries: READS_COLUMN, definition: { ...view, query: carrying }, ...(hidden !== undefined && { hidden }) };
}
