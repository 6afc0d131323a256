/** What a session says became of a transaction, by what was answered to the statement that decides it and to those before. */
import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../../core/sql/index.ts';
import type { Dialect } from '../../../../core/dialect/index.ts';
import type { ProbedTxn } from '../../../../core/program/index.ts';
import type { HistoryEvent, TxnOutcome } from '../../../../core/history/index.ts';
import { mysql, postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { statementOf } from '../../../sql.ts';
import { ONE_TABLE } from './one-table.ts';
import { played, scripted } from './scripted-connection.ts';
import type { Answer } from './scripted-connection.ts';

const update = statementOf(ONE_TABLE, 'UPDATE t SET k = 2');
const select = statementOf(ONE_TABLE, 'SELECT k FROM t');

const lost = (): Error => new Error('Connection terminated unexpectedly');
const refused = (code: string): Error => Object.assign(new Error(`refused by ${code}`), { code, severity: 'ERROR' });
const errno = (number: number): Error => Object.assign(new Error(`said ${number}`), { errno: number });

function plan(statements: readonly Statement[], { capabilities }: Dialect, autocommit = false): readonly ProbedTxn[] {
  const testCase = {
    seed: 's',
    schema: ONE_TABLE,
    sessions: [{ transactions: [{ id: 1, statements, end: 'commit', autocommit }] }],
  } as const;
  return instrument(testCase, { mode: 'exact', capabilities }).sessions[0]!.transactions;
}

const endsOf = (events: readonly HistoryEvent[]): readonly TxnOutcome[] =>
  events.flatMap((event) => (event.e === 'end' ? [event.outcome] : []));

/** One transaction with an UPDATE on PostgreSQL; `answer` by the first word of what is sent. */
async function ended(
  answers: Readonly<Record<string, Answer>>,
): Promise<{ readonly outcomes: readonly TxnOutcome[]; readonly sent: readonly string[] }> {
  const script = scripted(postgres, (sql) => answers[sql.split(' ', 1)[0]!]);
  const { session, events } = await played(script, plan([update], postgres));
  expect(session.outcome).toBe(endsOf(events).at(-1));
  return { outcomes: endsOf(events), sent: script.sent.map((sql) => sql.split(' ', 1)[0]!) };
}

describe('COMMIT', () => {
  test('whose reply is lost with the connection has an unknown outcome, and no ROLLBACK follows', async () => {
    expect(await ended({ COMMIT: lost() })).toEqual({ outcomes: ['unknown'], sent: ['BEGIN', 'UPDATE', 'COMMIT'] });
  });

  test('that the server itself calls ambiguous has an unknown outcome', async () => {
    expect((await ended({ COMMIT: refused('40003') })).outcomes).toEqual(['unknown']);
  });

  test('that is refused is followed by ROLLBACK: aborted', async () => {
    expect(await ended({ COMMIT: refused('40001') })).toEqual({ outcomes: ['aborted'], sent: ['BEGIN', 'UPDATE', 'COMMIT', 'ROLLBACK'] });
  });

  test('that MySQL refuses as it refuses a statement is followed by ROLLBACK too, and not sent again', async () => {
    const script = scripted(mysql, (sql) => (sql === 'COMMIT' ? errno(1205) : undefined));
    expect(endsOf((await played(script, plan([select], mysql))).events)).toEqual(['aborted']);
    expect(script.sent.slice(-2)).toEqual(['COMMIT', 'ROLLBACK']);
  });

  test('that is answered by ROLLBACK is an abort, on record with its tag', async () => {
    expect((await ended({ COMMIT: { tag: 'rollback' } })).outcomes).toEqual(['aborted']);
    expect((await ended({ COMMIT: { tag: 'commit' } })).outcomes).toEqual(['committed']);
    const { events } = await played(
      scripted(postgres, (sql) => (sql === 'COMMIT' ? { tag: 'rollback' } : undefined)),
      plan([update], postgres),
    );
    expect(events.at(-2)).toMatchObject({ e: 'ok', tag: 'rollback' });
  });
});

describe('before COMMIT', () => {
  test.each(['BEGIN', 'UPDATE'])(
    'a connection lost under %s is an abort: the server rolls back, and nothing more is sent',
    async (word) => {
      const { outcomes, sent } = await ended({ [word]: lost() });
      expect(outcomes).toEqual(['aborted']);
      expect(sent.at(-1)).toBe(word);
    },
  );

  test('an error that ends the transaction is an abort, and COMMIT is not sent', async () => {
    expect((await ended({ UPDATE: refused('40003') })).outcomes, 'whatever became of the statement').toEqual(['aborted']);
    expect(await ended({ UPDATE: refused('40001') })).toEqual({ outcomes: ['aborted'], sent: ['BEGIN', 'UPDATE', 'ROLLBACK'] });
  });
});

describe('a write without BEGIN', () => {
  /** On MySQL, where an UPDATE captures what it wrote and a plain SELECT nothing. `at`: the first word of what fails. */
  const alone = async (
    statement: Statement,
    error: Error,
    autocommit = true,
    at = statement.kind.toUpperCase(),
  ): Promise<readonly TxnOutcome[]> =>
    endsOf(
      (
        await played(
          scripted(mysql, (sql) => (sql.startsWith(at) ? error : undefined)),
          plan([statement], mysql, autocommit),
        )
      ).events,
    );

  test.each([
    [1205, 'lock timeout'],
    [3024, 'statement timeout'],
    [1105, 'other'],
  ])('that captures and fails with %i (%s) may have committed: the query behind it may be what failed', async (number) => {
    expect(await alone(update, errno(number))).toEqual(['unknown']);
    expect(await alone(update, errno(number), true, 'SELECT')).toEqual(['unknown']);
  });

  test.each([
    [1213, 'deadlock'],
    [1062, 'constraint'],
    [1264, 'data'],
    [1020, 'serialization'],
  ])('that captures and fails with %i (%s) did not: that query has no such error', async (number) => {
    expect(await alone(update, errno(number))).toEqual(['aborted']);
  });

  test('that captures and loses its connection has an unknown outcome', async () => {
    expect(await alone(update, Object.assign(new Error('gone'), { code: 'ECONNRESET' }))).toEqual(['unknown']);
  });

  test('nothing of it is said of a statement that captures nothing, nor of one in a transaction', async () => {
    expect(await alone(select, errno(1205))).toEqual(['aborted']);
    expect(await alone(update, errno(1205), false)).toEqual(['committed']);
  });
});
