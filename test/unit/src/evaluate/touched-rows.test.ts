/** By what a row counts as touched, one way each: then a row that refers to it may have been changed without an entry in its list. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../core/index.ts';
import type { ForeignKey, Image, Schema } from '../../../../core/index.ts';
import { mayHaveChanged, touchedRows } from '../../../../src/evaluate/silent-changes.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../history-text.ts';

const SET_NULL = { onDelete: 'set null', onUpdate: 'no action' } as const;
const CASCADE = { onDelete: 'cascade', onUpdate: 'cascade' } as const;

/** Rows of t are (k, up), and up refers to k. */
const schemaWith = (actions: Pick<ForeignKey, 'onDelete' | 'onUpdate'>): Schema => ({
  tables: [
    {
      name: 't',
      columns: ['k', 'up'].map((name) => ({ name, type: { kind: 'text' }, nullable: name === 'up' })),
      primaryKey: ['k'],
      uniques: [],
      checks: [],
      indexes: [],
      rows: [],
      foreignKeys: [{ name: 'f', columns: ['up'], table: 't', references: ['k'], ...actions }],
    },
  ],
});

interface Said {
  /** Initial rows; x is the parent. */
  readonly rows?: Readonly<Record<string, Image>>;
  /** What every write returned. */
  readonly written?: Image;
  readonly actions?: Pick<ForeignKey, 'onDelete' | 'onUpdate'>;
}

/** May a child of x have been changed behind its list? */
function mayChange(text: string, { rows = { x: ['parent', null] }, written, actions = SET_NULL }: Said = {}): boolean {
  const rids = rowIdsOf(text);
  const builder = new HistoryBuilder(roundOf());
  builder.add({ e: 'images', table: 't', rids: Object.keys(rows).map((row) => rids.get(row)!), images: Object.values(rows) });
  for (const event of eventsFromText(text))
    builder.add(event.e === 'ok' && event.w !== undefined && written !== undefined ? { ...event, i: [written] } : event);
  const schema = schemaWith(actions);
  return mayHaveChanged(schema, touchedRows(schema, builder.finish()))('t', ['child', 'parent']);
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

  test('where its key differs between two versions', () => {
    expect(mayChange('t1: w x ,0.0,1.1; commit\nt9: z x ,0.0,1.1; commit', { written: ['renamed', null] })).toBe(true);
  });

  test('where an action may have reached it, as the row that it refers to was deleted', () => {
    const text = 't1: r x ,0.0; d1 y ,0.0; rollback\nt9: z x ,0.0 y ,0.0; commit';
    const rows = (up: string): Said => ({ rows: { x: ['parent', up], y: ['grand', null] }, actions: CASCADE });
    expect(mayChange(text, rows('grand'))).toBe(true);
    expect(mayChange(text, rows('another'))).toBe(false);
  });

  test('by an action that gave it another key, also if it is known to have been deleted', () => {
    const schema = schemaWith(CASCADE);
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
