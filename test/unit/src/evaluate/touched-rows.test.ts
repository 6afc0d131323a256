/** By what a row counts as touched, one way each: then a row that refers to it may have been changed without an entry in its list. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { ForeignKey, Schema } from '../../../../core/sql/index.ts';
import type { History, Image } from '../../../../core/history/index.ts';
import { mayHaveChanged, touchedRows } from '../../../../src/evaluate/untracked-actions.ts';
import { schemaOf } from '../../../sql.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../history-text.ts';

const SET_NULL = { onDelete: 'set null', onUpdate: 'no action' } as const;
const FOLLOW = { onDelete: 'no action', onUpdate: 'set null' } as const;
const CASCADE = { onDelete: 'cascade', onUpdate: 'cascade' } as const;

/** Rows of t are (k, up), and up refers to k. */
const schemaWith = ({ onDelete, onUpdate }: Pick<ForeignKey, 'onDelete' | 'onUpdate'>): Schema =>
  schemaOf(`CREATE TABLE t (k text PRIMARY KEY, up text REFERENCES t ON DELETE ${onDelete} ON UPDATE ${onUpdate})`);

interface Said {
  /** Initial rows; x is the parent. */
  readonly rows?: Readonly<Record<string, Image>>;
  /** What every write returned. */
  readonly written?: Image;
  readonly actions?: Pick<ForeignKey, 'onDelete' | 'onUpdate'>;
}

/** May a child of x have been changed behind its list? */
function mayChange(text: string, said: Said = {}): boolean {
  const schema = schemaWith(said.actions ?? SET_NULL);
  return mayHaveChanged(schema, touchedRows(schema, historyOf(text, said)))('t', ['child', 'parent']);
}

function historyOf(text: string, { rows = { x: ['parent', null] }, written }: Said): History {
  const rids = rowIdsOf(text);
  const builder = new HistoryBuilder(roundOf());
  builder.add({ e: 'images', table: 't', rids: Object.keys(rows).map((row) => rids.get(row)!), images: Object.values(rows) });
  for (const event of eventsFromText(text))
    builder.add(event.e === 'ok' && event.w !== undefined && written !== undefined ? { ...event, i: [written] } : event);
  return builder.finish();
}

describe('a row is touched', () => {
  test('not by being read, nor by a write that leaves its key', () => {
    expect(mayChange('t1: r x ,0.0; commit\nt9: z x ,0.0; commit')).toBe(false);
    expect(mayChange('t1: w x ,0.0,1.1; commit\nt9: z x ,0.0,1.1; commit', { written: ['parent', 'other'] })).toBe(false);
  });

  test('by a delete, even one that was rolled back and whose row the final read shows', () => {
    expect(mayChange('t1: d1 x ,0.0; rollback\nt9: z x ,0.0; commit')).toBe(true);
  });

  test('where the final read does not show it, though no delete names it: a cascade', () => {
    expect(mayChange('t1: r x ,0.0; commit\nt9: z; commit')).toBe(true);
  });

  test('where one of two final reads does not show it', () => {
    expect(mayChange('t1: r x ,0.0; commit\nt8: z x ,0.0; commit\nt9: z x ,0.0; commit')).toBe(false);
    expect(mayChange('t1: r x ,0.0; commit\nt8: z x ,0.0; commit\nt9: z; commit')).toBe(true);
  });

  test('where a version of it is listed that no reply described: its key may have been any', () => {
    expect(mayChange('t1: w x ,0.0,1.1; commit\nt9: z x ,0.0,1.1; commit')).toBe(true);
  });

  test('where its key differs between two versions, be it by the case of a letter: ON UPDATE follows, ON DELETE does not', () => {
    const text = 't1: w x ,0.0,1.1; commit\nt9: z x ,0.0,1.1; commit';
    expect(mayChange(text, { written: ['renamed', null], actions: FOLLOW })).toBe(true);
    expect(mayChange(text, { written: ['Parent', null], actions: FOLLOW })).toBe(true);
    expect(mayChange(text, { written: ['renamed', null], actions: SET_NULL })).toBe(false);
  });

  test('by a delete, which ON DELETE follows and ON UPDATE does not', () => {
    const deleted = 't1: d1 x ,0.0; commit\nt9: z; commit';
    for (const onDelete of ['no action', 'cascade'] as const) expect(mayChange(deleted, { actions: { ...FOLLOW, onDelete } })).toBe(false);
  });

  test('where ON DELETE CASCADE may have taken it along; not by SET NULL, which leaves its key', () => {
    const text = 't1: r x ,0.0; d1 y ,0.0; rollback\nt9: z x ,0.0 y ,0.0; commit';
    const ofChild = (up: string, actions: Said['actions']): boolean => {
      const [table] = schemaWith(actions!).tables;
      const tables = [table!, { ...schemaWith(SET_NULL).tables[0]!, name: 'u' }];
      return mayHaveChanged({ tables }, touchedRows({ tables }, historyOf(text, { rows: { x: ['parent', up], y: ['grand', null] } })))(
        'u',
        ['child', 'parent'],
      );
    };
    expect(ofChild('grand', CASCADE)).toBe(true);
    expect(ofChild('another', CASCADE)).toBe(false);
    expect(ofChild('grand', SET_NULL)).toBe(false);
  });

  test('by an action that gave it another key, also if it is known to have been deleted', () => {
    const schema = schemaWith({ onDelete: 'set default', onUpdate: 'cascade' });
    const parent = { ...schema.tables[0]!, foreignKeys: [{ ...schema.tables[0]!.foreignKeys[0]!, columns: ['k'], references: ['up'] }] };
    const child = { ...schema.tables[0]!, name: 'u', foreignKeys: schema.tables[0]!.foreignKeys };
    const text = 't1: d1 x ,0.0; commit\nt2: d1 y ,0.0; commit\nt9: z; commit';
    const rids = rowIdsOf(text);
    const builder = new HistoryBuilder(roundOf());
    // x has the key that y gave it: of what x was in between nothing is said.
    builder.add({
      e: 'images',
      table: 't',
      rids: ['x', 'y'].map((row) => rids.get(row)!),
      images: [
        ['a', 'b'],
        ['c', 'a'],
      ],
    });
    for (const event of eventsFromText(text)) builder.add(event);
    const tables = [parent, child];
    expect(mayHaveChanged({ tables }, touchedRows({ tables }, builder.finish()))('u', ['z', 'another'])).toBe(true);
  });
});
