/** The rows that a replay begins with, put together from what a round tells of them. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../../core/history/index.ts';
import type { Statement, Table, Value } from '../../../../../core/sql/index.ts';
import type { TestCase } from '../../../../../core/program/index.ts';
import type { History, HistoryEvent } from '../../../../../core/history/index.ts';
import { observedCase } from '../../../../../src/judge/findings/observed-case.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../../history-text.ts';

const column = (name: string, nullable = true): Table['columns'][number] => ({ name, type: { kind: 'integer' }, nullable });
const table: Table = {
  name: 't',
  columns: [column('id', false), column('a'), column('b')],
  primaryKey: ['id'],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [],
};
const literal = (value: Value): { readonly kind: 'literal'; readonly type: 'integer'; readonly value: Value } => ({
  kind: 'literal',
  type: 'integer',
  value,
});
const update = (name: string, value: number): Statement => ({ kind: 'update', table: 't', set: [{ column: name, value: literal(value) }] });
const insert = (id: number, a: number): Statement => ({
  kind: 'insert',
  table: 't',
  columns: ['id', 'a'],
  rows: [[literal(id), literal(a)]],
});
const noop: Statement = {
  kind: 'select',
  items: [{ expression: { kind: 'column', table: 't', column: 'a' }, alias: 'a' }],
  from: { kind: 'table', table: 't', alias: 't' },
};

/** `images`: the rows at first, by name. */
const schemaBefore = (...args: Parameters<typeof caseOf>): Table => caseOf(...args).schema.tables[0]!;

function caseOf(
  last: number,
  text: string,
  images: Readonly<Record<string, readonly string[]>>,
  plans: Readonly<Record<number, readonly Statement[]>>,
  own: Table = table,
): TestCase {
  const ids = rowIdsOf(text);
  const builder = new HistoryBuilder(roundOf());
  const events: HistoryEvent[] = [
    { e: 'images', table: 't', rids: Object.keys(images).map((name) => ids.get(name) ?? name), images: Object.values(images) },
    ...eventsFromText(text),
  ];
  for (const event of events) builder.add(event.e === 'invoke' ? { ...event, p: event.n - 1 } : event);
  const history: History = builder.finish();
  const sessions = Object.entries(plans).map(([id, statements]) => ({
    transactions: [{ id: Number(id), statements, end: 'commit' as const, autocommit: false }],
  }));
  const testCase: TestCase = { seed: 'x', schema: { tables: [own] }, sessions };
  return observedCase(history, testCase, [last]);
}

const rowsBefore = (...args: Parameters<typeof schemaBefore>): readonly (readonly Value[])[] => schemaBefore(...args).rows;

describe('the rows that a replay begins with', () => {
  test('are the versions that were committed when its first transaction began, with the literals of their writes', () => {
    const text = `t1@s1: w x ,0.0,1.1; i y ,1.2; commit
      t2@s2[2000-2900]: w x ,0.0,1.1,2.1; commit
      t3@s3[1000-5900]: r x ,0.0,1.1; commit
      t9@s9[7000-7900]: z x ,0.0,1.1,2.1; z y ,1.2; commit`;
    const plans = { 1: [update('a', 5), insert(2, 7)], 2: [update('b', 6)], 3: [noop] };
    expect(rowsBefore(3, text, { x: ['1', '10', '11'] }, plans)).toEqual([
      [1, 5, 11],
      [2, 7, null],
    ]);
  });

  test('are not those that were deleted, and those that nobody saw are as they were', () => {
    const text = `t1@s1: d1 x ,0.0; commit
      t3@s3[1000-5900]: r y ,0.0; commit`;
    expect(rowsBefore(3, text, { x: ['1', '1', '1'], y: ['2', '2', '2'], unseen: ['3', '3', '3'] }, { 1: [noop], 3: [noop] })).toEqual([
      [2, 2, 2],
      [3, 3, 3],
    ]);
  });

  test('are the versions that its transactions found, where others committed after the first of them began', () => {
    const text = `t3@s3[1000-5900]: r x ,0.0; r y ,2.1; commit
      t2@s2[2000-2900]: i y ,2.1; w x ,0.0,2.2; commit
      t9@s9[7000-7900]: z x ,0.0,2.2; z y ,2.1; commit`;
    const plans = { 2: [insert(2, 7), update('a', 9)], 3: [noop] };
    expect(rowsBefore(3, text, { x: ['1', '10', '11'] }, plans)).toEqual([
      [1, 10, 11],
      [2, 7, null],
    ]);
  });

  test('are the committed versions of rows that its transactions found dirty', () => {
    const text = `t2@s2[500-6900]: w x ,0.0,2.1; rollback
      t3@s3[1000-5900]: r x ,0.0,2.1; commit
      t9@s9[7000-7900]: z x ,0.0; commit`;
    expect(rowsBefore(3, text, { x: ['1', '10', '11'] }, { 2: [update('a', 9)], 3: [noop] })).toEqual([[1, 10, 11]]);
  });

  test('are not those that nobody deleted and nobody saw again: a foreign key did it', () => {
    const text = `t1@s1: r x ,0.0; commit
      t3@s3[1000-5900]: r y ,0.0; commit
      t9@s9[7000-7900]: z y ,0.0; commit`;
    expect(rowsBefore(3, text, { x: ['1', '1', '1'], y: ['2', '2', '2'] }, { 1: [noop], 3: [noop] })).toEqual([[2, 2, 2]]);
  });

  test('keep the numbers that the server gave them, and it goes on after them', () => {
    const own: Table = { ...table, columns: [{ ...column('id', false), identity: true }, column('a'), column('b')] };
    const text = `t1@s1: d x ,0.0; commit
      t3@s3[1000-5900]: r y ,0.0; commit`;
    const schema = schemaBefore(3, text, { x: ['1', '1', '1'], y: ['2', '2', '2'] }, { 1: [noop], 3: [noop] }, own);
    expect(schema.rows).toEqual([[2, 2, 2]]);
    expect(schema.columns[0]).toEqual({ ...own.columns[0], nextNumber: 3 });
  });

  test('stand behind the rows that they refer to, a circle is opened, and what refers to nothing refers to none', () => {
    const own: Table = {
      ...table,
      foreignKeys: [{ name: 'f', columns: ['a'], table: 't', references: ['id'], onDelete: 'no action', onUpdate: 'no action' }],
    };
    const text = 't3@s3[1000-5900]: r x ,0.0; commit';
    expect(
      rowsBefore(
        3,
        text,
        {
          x: ['1', '2', null] as never,
          y: ['2', null, null] as never,
          z: ['5', '6', null] as never,
          u: ['6', '5', null] as never,
          w: ['7', '99', null] as never,
        },
        { 3: [noop] },
        own,
      ),
    ).toEqual([
      [2, null, null],
      [1, 2, null],
      [5, null, null],
      [6, 5, null],
      [7, null, null],
    ]);
  });
});

describe('a transaction that the server aborted', () => {
  const plans = { 4: [update('a', 5), update('b', 6), noop] };

  test('rolls back there by itself: whom a server aborts is nothing to rely on', () => {
    const { sessions, schedule } = caseOf(4, 't4@s4: w x ,0.0,4.1; f2; rollback', { x: ['1', '1', '1'] }, plans);
    expect(sessions[0]!.transactions).toEqual([{ id: 4, statements: [update('a', 5)], end: 'rollback', autocommit: false }]);
    expect(schedule).toEqual([0, 0, 0]);
  });

  test('is left as it was planned where a later statement was answered, or it committed', () => {
    const later = caseOf(4, 't4@s4: w x ,0.0,4.1; f2; r x ,0.0,4.1; commit', { x: ['1', '1', '1'] }, plans);
    expect(later.sessions[0]!.transactions[0]).toMatchObject({ statements: plans[4], end: 'commit' });
    expect(later.schedule).toEqual([0, 0, 0, 0, 0]);
    expect(caseOf(4, 't4@s4: f1; r x ,0.0; rollback', { x: ['1', '1', '1'] }, plans).sessions[0]!.transactions[0]).toMatchObject({
      statements: plans[4],
      end: 'commit',
    });
  });
});
