/** The rows of an anomaly by key and values: what the server returned of them, and nothing else. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../../core/history/index.ts';
import type { TestCase } from '../../../../../core/program/index.ts';
import type { HistoryEvent } from '../../../../../core/history/index.ts';
import type { ReportedStatement } from '../../../../../core/verdict/index.ts';
import { reportedRows } from '../../../../../src/judge/findings/reported-rows.ts';
import { reportedStatements } from '../../../../../src/judge/findings/reported.ts';
import { schemaOf, statementOf } from '../../../../sql.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../../history-text.ts';

const SCHEMA = schemaOf('CREATE TABLE t (id int PRIMARY KEY, a int, b int)');
const SELECT = statementOf(SCHEMA, 'SELECT b, a FROM t');
const UPDATE = statementOf(SCHEMA, 'UPDATE t SET a = 99');

/** t1 reads x and is overwritten by t2; `change` edits the recorded events. */
function rowsOf(change: (event: HistoryEvent) => HistoryEvent): ReturnType<typeof reportedRows> {
  const text = `t1@s1[1000-3900]: r x ,0.0; commit
    t2@s2[2000-2900]: w x ,0.0,2.1; commit`;
  const row = rowIdsOf(text).get('x')!;
  const builder = new HistoryBuilder(roundOf());
  const events: HistoryEvent[] = [{ e: 'images', table: 't', rids: [row], images: [['7', '1', null]] }, ...eventsFromText(text)];
  for (const event of events) builder.add(change(event.e === 'invoke' ? { ...event, p: event.n - 1 } : event));
  const history = builder.finish();
  const testCase: TestCase = {
    seed: 'x',
    schema: SCHEMA,
    sessions: [SELECT, UPDATE].map((statement, s) => ({
      transactions: [{ id: s + 1, statements: [statement], end: 'commit', autocommit: false }],
    })),
  };
  const anomaly = { transactions: [1, 2], cycle: [{ from: 1, to: 2, rel: 'rw', table: 't', row, explanation: '' }] } as const;
  const statements: readonly ReportedStatement[] = reportedStatements(history, anomaly);
  return reportedRows(history, testCase, anomaly, statements);
}

describe('the rows of an anomaly', () => {
  test('hold what was read before the round and what a write returned', () => {
    const rows = rowsOf((event) => (event.e === 'ok' && event.w !== undefined ? { ...event, i: [['7', '2', null]] } : event));
    expect(rows).toMatchObject([
      { table: 't', key: ['id'], versions: { '0.0': { id: '7', a: '1', b: null }, '2.1': { id: '7', a: '2', b: null } } },
    ]);
  });

  test('say nothing of a version that the server did not return, whatever the statement would have written', () => {
    expect(rowsOf((event) => event)[0]!.versions).toEqual({ '0.0': { id: '7', a: '1', b: null } });
  });

  test('hold the columns that a plain query returned, under their own names', () => {
    const rows = rowsOf((event) =>
      event.e === 'images'
        ? { ...event, rids: ['another'] }
        : event.e === 'ok' && event.r !== undefined
          ? { ...event, result: [['5', '3']] }
          : event,
    );
    expect(rows[0]!.versions).toEqual({ '0.0': { a: '3', b: '5' } });
  });
});
