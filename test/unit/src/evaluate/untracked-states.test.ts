/** What columns a version can have had, one action each; where that is not known, nothing is said. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { ForeignKey, Schema, Value } from '../../../../core/sql/index.ts';
import type { Image } from '../../../../core/history/index.ts';
import { touchedRows } from '../../../../src/evaluate/untracked-actions.ts';
import { untrackedStates } from '../../../../src/evaluate/untracked-states.ts';
import type { VersionImage } from '../../../../src/evaluate/images.ts';
import { schemaOf } from '../../../sql.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../history-text.ts';

type Actions = Pick<ForeignKey, 'onDelete' | 'onUpdate'>;

/** Rows of t are (k, up), and up refers to k; its default is `none`. */
const schemaWith = ({ onDelete, onUpdate }: Actions, type = 'text'): Schema =>
  schemaOf(`CREATE TABLE t (k text PRIMARY KEY, up ${type} DEFAULT 'none' REFERENCES t ON DELETE ${onDelete} ON UPDATE ${onUpdate})`);

const RENAMED = 't1: w x ,0.0,1.1; commit\nt9: z x ,0.0,1.1; commit';
const DELETED = 't1: d1 x ,0.0; commit\nt9: z; commit';

interface Said {
  readonly version?: Partial<VersionImage>;
  readonly written?: Image;
  /** The type of `up`. */
  readonly type?: string;
  /** What x refers to at first. */
  readonly up?: string | null;
}

/** x is (parent, NULL) at first, `written` what a write makes of it: what can a child of it have been? */
function statesOf(
  text: string,
  actions: Actions,
  { version = {}, written, type, up = null }: Said = {},
): readonly (readonly Value[])[] | undefined {
  const builder = new HistoryBuilder(roundOf());
  builder.add({ e: 'images', table: 't', rids: [rowIdsOf(text).get('x')!], images: [['parent', up]] });
  for (const event of eventsFromText(text))
    builder.add(event.e === 'ok' && event.w !== undefined && written !== undefined ? { ...event, i: [written] } : event);
  const schema = schemaWith(actions, type);
  const states = untrackedStates(schema, touchedRows(schema, builder.finish()));
  return states('t', { row: 7, txn: 0, seq: 0, values: ['child', 'parent'], ...version });
}

describe('a version that refers to a row', () => {
  test('is as it was written if nobody touched that row, and if it refers to nothing', () => {
    const read = 't1: r x ,0.0; commit\nt9: z x ,0.0; commit';
    expect(statesOf(read, { onDelete: 'set null', onUpdate: 'cascade' })).toEqual([['child', 'parent']]);
    expect(statesOf(DELETED, { onDelete: 'set null', onUpdate: 'no action' }, { version: { values: ['child', null] } })).toEqual([
      ['child', null],
    ]);
  });

  test('may have been set to NULL, or to the default', () => {
    expect(statesOf(DELETED, { onDelete: 'set null', onUpdate: 'no action' })).toEqual([
      ['child', 'parent'],
      ['child', null],
    ]);
    expect(statesOf(DELETED, { onDelete: 'set default', onUpdate: 'no action' })).toEqual([
      ['child', 'parent'],
      ['child', 'none'],
    ]);
  });

  test('may have followed to each key that the row got, if these are known and of the same type', () => {
    const cascade: Actions = { onDelete: 'no action', onUpdate: 'cascade' };
    expect(statesOf(RENAMED, cascade, { written: ['renamed', null] })).toEqual([
      ['child', 'parent'],
      ['child', 'renamed'],
    ]);
    const plain: Actions = { onDelete: 'no action', onUpdate: 'set null' };
    expect(statesOf(RENAMED, plain, { written: ['renamed', null] })).toEqual([
      ['child', 'parent'],
      ['child', null],
    ]);
    expect(statesOf(RENAMED, cascade)).toBeUndefined();
    expect(statesOf(RENAMED, cascade, { written: ['renamed', null], type: 'varchar(10)' })).toBeUndefined();
  });
});

describe('a version that was written when the row that it refers to had been touched', () => {
  const setNull: Actions = { onDelete: 'set null', onUpdate: 'no action' };
  const of = (text: string): unknown => statesOf(text, setNull, { version: { txn: 2, seq: 1 }, written: ['child', 'parent'], up: 'root' });

  test('is as it was written if who touched it was over, since no action changes what is not there', () => {
    expect(of('t1[0-100]: d1 x ,0.0; commit\nt2[200-300]: i y ,2.1; commit\nt9: z y ,2.1; commit')).toEqual([['child', 'parent']]);
    expect(of('t1[0-100]: d1 x ,0.0; rollback\nt2[200-300]: i y ,2.1; commit\nt9: z x ,0.0 y ,2.1; commit')).toEqual([['child', 'parent']]);
  });

  test('may have been changed if that may have been going on, or if nobody knows who did it', () => {
    expect(of('t1[0-100]: d1 x ,0.0; commit\nt2[50-150]: i y ,2.1; commit\nt9: z y ,2.1; commit')).toHaveLength(2);
    expect(of('t1[0-100]: d1 x ,0.0; lost\nt2[200-300]: i y ,2.1; commit\nt9: z y ,2.1; commit')).toHaveLength(2);
    expect(of('t1[0-100]: r x ,0.0; commit\nt2[200-300]: i y ,2.1; commit\nt9: z y ,2.1; commit')).toHaveLength(2);
  });
});

describe('a version that the final read shows changed', () => {
  const setNull: Actions = { onDelete: 'set null', onUpdate: 'no action' };

  test('has the states that lead there; nothing is said where none does', () => {
    expect(statesOf(DELETED, setNull, { version: { altered: true, later: ['child', null] } })).toHaveLength(2);
    expect(statesOf(DELETED, setNull, { version: { altered: true, later: ['child', 'other'] } })).toBeUndefined();
    expect(statesOf(DELETED, setNull, { version: { altered: true } })).toBeUndefined();
  });

  test('or that it alone shows is as it was written, unless an action may have put there what it holds', () => {
    const unwritten = (up: Value, actions: Actions): unknown =>
      statesOf(RENAMED, actions, { version: { altered: true, unwritten: true, values: ['child', up] }, written: ['renamed', null] });
    expect(unwritten('another', setNull)).toEqual([['child', 'another']]);
    expect(unwritten(null, setNull)).toBeUndefined();
    expect(unwritten('none', { onDelete: 'set default', onUpdate: 'no action' })).toBeUndefined();
    expect(unwritten('another', { onDelete: 'no action', onUpdate: 'cascade' })).toEqual([['child', 'another']]);
    expect(unwritten('renamed', { onDelete: 'no action', onUpdate: 'cascade' })).toBeUndefined();
  });
});
