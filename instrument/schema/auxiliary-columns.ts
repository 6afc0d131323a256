/**
 * Adds the paper's rowId and wList (IsoRel 3.2) to the schema: two text columns at the end of each table, without any
 * constraint or index. No constraint check or plan of the user's statements can then depend on them.
 */
import { INITIAL_LIST, LIST_COLUMN, RID_COLUMN, followedTables, rowId } from '../../core/index.ts';
import type { Column, Schema } from '../../core/index.ts';
import type { Views } from './carried-view.ts';

const AUXILIARY: readonly Column[] = [RID_COLUMN, LIST_COLUMN].map((name) => ({ name, type: { kind: 'text' }, nullable: true }));

export function withAuxiliaryColumns(schema: Schema, views: Views): Schema {
  let n = 0;
  const followed = followedTables(schema);
  return {
    ...schema,
    ...(followed.size > 0 && { followed: [...followed] }),
    tables: schema.tables.map((table) => ({
      ...table,
      ...(table.trigger?.does === 'tallies' && { trigger: { ...table.trigger, lists: true as const } }),
      columns: [...table.columns, ...AUXILIARY],
      rows: table.rows.map((row) => [...row, rowId(0, 0, n++), INITIAL_LIST]),
    })),
    ...(schema.views !== undefined && { views: [...views.values()].map(({ definition }) => definition) }),
  };
}
