// When what was observed differs from a serial order, and when an execution is no ground to say so.
import { describe, expect, it } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { TestCase } from '../../../../core/program/index.ts';
import type { FailEvent, History } from '../../../../core/history/index.ts';
import { beyondSnapshots, compareOrders, outcomeOf } from '../../../../src/reproduce/serial-outcomes.ts';
import { queryOf, schemaOf } from '../../../sql.ts';
import { roundOf } from '../../history-text.ts';

const query = queryOf(schemaOf('CREATE TABLE t (k int, v int)'), 'SELECT v FROM t ORDER BY k');
const testCase: TestCase = {
  seed: 's',
  schema: { tables: [] },
  sessions: [{ transactions: [{ id: 1, statements: [query, query], end: 'commit', autocommit: false }] }],
};

/** The first query's rows, and how the second one failed. */
function history(rows: readonly string[], failed?: Pick<FailEvent, 'class' | 'code'>): History {
  const builder = new HistoryBuilder(roundOf());
  const at = { s: 0, t: 1 };
  builder.add({ e: 'invoke', ...at, n: 0, at: 1, k: 'begin', sql: 'BEGIN' });
  builder.add({ e: 'ok', ...at, n: 0, at: 2 });
  builder.add({ e: 'invoke', ...at, n: 1, at: 3, k: 'select', sql: 'SELECT', p: 0 });
  builder.add({ e: 'ok', ...at, n: 1, at: 4, rows: rows.length, result: rows.map((each) => [each]) });
  if (failed !== undefined) {
    builder.add({ e: 'invoke', ...at, n: 2, at: 5, k: 'select', sql: 'SELECT', p: 1 });
    builder.add({ e: 'fail', ...at, n: 2, at: 6, ...failed, scope: 'statement', message: 'no' });
  }
  builder.add({ e: 'invoke', ...at, n: 3, at: 7, k: 'commit', sql: 'COMMIT' });
  builder.add({ e: 'ok', ...at, n: 3, at: 8, tag: 'commit' });
  builder.add({ e: 'end', ...at, at: 9, outcome: 'committed' });
  return builder.finish();
}

const outcome = (rows: readonly string[], failed?: Pick<FailEvent, 'class' | 'code'>, complete = true): ReturnType<typeof outcomeOf> =>
  outcomeOf({ history: history(rows, failed), complete }, testCase);

describe('what was observed beside a serial order', () => {
  it('is the same whatever the order of the rows, asked for or not, as an order leaves ties', () => {
    expect(compareOrders(outcome(['a', 'b']), new Map([['1', outcome(['b', 'a'])]]))[0]!.explains).toBe(true);
    expect(compareOrders(outcome(['a', 'b']), new Map([['1', outcome(['b', 'b'])]]))[0]).toMatchObject({
      explains: false,
      sentence: "T1: T1's SELECT would return (b) (b); observed (a) (b).",
    });
  });

  it('is no ground where an execution was cut short, or what committed found no lock or no time', () => {
    expect(outcome(['a']).settled).toBe(true);
    expect(outcome(['a'], undefined, false).settled).toBe(false);
    expect(outcome(['a'], { code: '1205', class: 'lock timeout' }).settled).toBe(false);
    expect(outcome(['a'], { code: '3024', class: 'statement timeout' }).settled).toBe(false);
    expect(outcome(['a'], { code: '23000', class: 'constraint' }).settled).toBe(true);
  });

  it('differs where only a table ends otherwise', () => {
    const ended = (...rows: readonly string[]): ReturnType<typeof outcomeOf> => ({
      ...outcome(['a']),
      tables: [{ table: 't', columns: ['v'], rows: rows.map((row) => [row]) }],
    });
    expect(compareOrders(ended('1', '2'), new Map([['1', ended('2', '1')]]))[0]).toMatchObject({
      explains: true,
      sentence: 'T1: the same results, and the same tables in the end.',
    });
    expect(compareOrders(ended('1', '2'), new Map([['1', ended('2')]]))[0]).toMatchObject({
      explains: false,
      sentence: 'T1: t would end as (2); observed (1) (2).',
    });
  });
});

describe('whether some choice of snapshots explains what was observed', () => {
  type Answers = Readonly<Record<number, string>>;
  const answering = (answers: Answers): ReturnType<typeof outcomeOf> => ({
    committed: Object.keys(answers).map(Number),
    tables: [],
    settled: true,
    answers: new Map(Object.entries(answers).map(([id, text]) => [Number(id), [{ statement: query, text, content: text }]])),
  });
  const beyond = (observed: Answers, serial: Readonly<Record<string, Answers>>): boolean =>
    beyondSnapshots(answering(observed), new Map(Object.entries(serial).map(([order, answers]) => [order, answering(answers)])));
  const TWO = { '1 2': { 1: 'first', 2: 'second' }, '2 1': { 1: 'second', 2: 'first' } };

  it('a serial order is one: each reads what all before it left', () => {
    expect(beyond({ 1: 'first', 2: 'second' }, TWO)).toBe(false);
    expect(beyond({ 1: 'second', 2: 'first' }, TWO)).toBe(false);
  });

  it('so is one where both read the start', () => {
    expect(beyond({ 1: 'first', 2: 'first' }, TWO)).toBe(false);
  });

  it('none is where each saw the other', () => {
    expect(beyond({ 1: 'second', 2: 'second' }, TWO)).toBe(true);
  });

  it('of three the last may have read what the first left, and not the second', () => {
    const read = (order: string): Answers =>
      Object.fromEntries(order.split(' ').map((id, at, all) => [Number(id), `after ${all.slice(0, at).join('')}`]));
    const three = Object.fromEntries(['1 2 3', '1 3 2', '2 1 3', '2 3 1', '3 1 2', '3 2 1'].map((order) => [order, read(order)]));
    expect(beyond({ 1: 'after ', 2: 'after 1', 3: 'after 1' }, three)).toBe(false);
    expect(beyond({ 1: 'after 3', 2: 'after 1', 3: 'after 2' }, three)).toBe(true);
  });
});
