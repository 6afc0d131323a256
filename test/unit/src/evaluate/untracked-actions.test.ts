/** A NULL in a foreign key may be what ON DELETE SET NULL left: of a row inserted without RETURNING only the end is known. */
import { expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { ForeignKey, Schema } from '../../../../core/sql/index.ts';
import { mayHaveChanged, touchedRows } from '../../../../src/evaluate/untracked-actions.ts';
import { schemaOf } from '../../../sql.ts';
import { eventsFromText, historyFromText, roundOf } from '../../history-text.ts';

const schemaWith = (onDelete: ForeignKey['onDelete']): Schema =>
  schemaOf(`CREATE TABLE t (k text PRIMARY KEY, up text REFERENCES t ON DELETE ${onDelete})`);

function mayBeLeft(text: string, onDelete: ForeignKey['onDelete']): boolean {
  const [rid] = historyFromText(text).rows.rid;
  const builder = new HistoryBuilder(roundOf());
  builder.add({ e: 'images', table: 't', rids: [rid!], images: [['parent', null]] });
  for (const event of eventsFromText(text)) builder.add(event);
  const schema = schemaWith(onDelete);
  return mayHaveChanged(schema, touchedRows(schema, builder.finish()))('t', ['child', null]);
}

test('a NULL may have come from the deletion of a row that could be referred to', () => {
  const deleted = 't1: d1 x ,0.0; commit\nt2: z y ,0.0; commit';
  expect(mayBeLeft(deleted, 'set null')).toBe(true);
  expect(mayBeLeft(deleted, 'no action')).toBe(false);
});
