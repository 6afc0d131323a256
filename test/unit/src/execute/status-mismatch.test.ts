/** The protocol's transaction status contradicts a reply: how the session goes on, and how its record is judged and verified. */
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { Dialect, TransactionStatus } from '../../../../core/dialect/index.ts';
import type { ProbedTxn } from '../../../../core/program/index.ts';
import type { History, HistoryEvent } from '../../../../core/history/index.ts';
import { mysql, postgres } from '../../../../dialects/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { certificateOf } from '../../../../src/judge/findings/certificate.ts';
import { verifyFinding } from '../../../../src/judge/findings/verify/verify-finding.ts';
import { statementOf } from '../../../sql.ts';
import { roundOf } from '../../history-text.ts';
import { ONE_TABLE } from './one-table.ts';
import { played, scripted } from './scripted-connection.ts';
import type { Answer, Played } from './scripted-connection.ts';

const UPDATE = statementOf(ONE_TABLE, 'UPDATE t SET k = 2');

interface Told {
  readonly end?: 'commit' | 'rollback';
  readonly autocommit?: boolean;
  readonly dialect?: Dialect;
  /** The key is the first word of the statement. Absent: the server answers, and the protocol says, what is right. */
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly statuses?: Readonly<Record<string, TransactionStatus>>;
}

const wordOf = (sql: string): string => sql.split(' ', 1)[0]!;

/** Two transactions of one UPDATE; the server is told so of the first one alone. */
async function run({
  end = 'commit',
  autocommit = false,
  dialect = postgres,
  answers = {},
  statuses = {},
}: Told): Promise<Played & { sent: string[] }> {
  const transactions = [1, 2].map((id) => ({ id, statements: [UPDATE], end, autocommit }));
  const { capabilities } = dialect;
  const plan: readonly ProbedTxn[] = instrument(
    { seed: 's', schema: ONE_TABLE, sessions: [{ transactions }] },
    { mode: 'exact', capabilities },
  ).sessions[0]!.transactions;
  let ended = 0;
  const right = (sql: string): TransactionStatus => (autocommit || ['COMMIT', 'ROLLBACK'].includes(wordOf(sql)) ? 'outside' : 'inside');
  const script = scripted(
    dialect,
    (sql) => (ended === 0 ? answers[wordOf(sql)] : undefined),
    (sql) => {
      const said = (ended === 0 ? statuses[wordOf(sql)] : undefined) ?? right(sql);
      if (said !== right(sql)) ended++;
      return said;
    },
  );
  return { ...(await played(script, plan, { again: true })), sent: script.sent.map(wordOf) };
}

const outcomesOf = (events: readonly HistoryEvent[]): readonly string[] =>
  events.flatMap((event) => (event.e === 'end' ? [event.outcome] : []));
const statusesOf = (events: readonly HistoryEvent[]): readonly unknown[] =>
  events.flatMap((event) => ((event.e === 'ok' || event.e === 'fail') && event.status ? [event.status] : []));

describe('a session', () => {
  test.for<[string, Told, TransactionStatus]>([
    ['COMMIT', { statuses: { COMMIT: 'inside' } }, 'outside'],
    ['ROLLBACK', { end: 'rollback', statuses: { ROLLBACK: 'inside' } }, 'outside'],
    ['UPDATE', { statuses: { UPDATE: 'outside' } }, 'inside'],
    ['BEGIN', { statuses: { BEGIN: 'outside' } }, 'inside'],
    ['UPDATE', { autocommit: true, statuses: { UPDATE: 'inside' } }, 'outside'],
  ])(
    'whose %s is contradicted ends the transaction as unknown, on record, and goes on in another connection',
    async ([word, told, expected]) => {
      const { events, sent } = await run(told);
      expect(statusesOf(events)).toEqual([{ expected, reported: told.statuses![word] }]);
      expect(outcomesOf(events)).toEqual(['unknown', told.end === 'rollback' ? 'aborted' : 'committed']);
      expect(sent.filter((each) => each === word).length).toBe(2);
    },
  );

  test('compares what an error leaves too, where the dialect knows it', async () => {
    const duplicate = Object.assign(new Error('taken'), { errno: 1062 });
    const { events } = await run({ dialect: mysql, answers: { UPDATE: duplicate }, statuses: { UPDATE: 'outside' } });
    expect(statusesOf(events)).toEqual([{ expected: 'inside', reported: 'outside' }]);
    expect(outcomesOf(events)).toEqual(['unknown', 'committed']);
  });

  test('whose server said OK and rolled back is told so by an error: it aborts, and no status is recorded', async () => {
    const silent = Object.assign(new Error('rolled back'), { code: 'ROLLED_BACK_SILENTLY' });
    const { events } = await run({ dialect: mysql, answers: { UPDATE: silent }, statuses: { UPDATE: 'outside' } });
    expect(statusesOf(events)).toEqual([]);
    expect(outcomesOf(events)).toEqual(['aborted', 'committed']);
  });

  test('whose protocol confirms each reply, or says nothing, records no status', async () => {
    expect(statusesOf((await run({})).events)).toEqual([]);
  });
});

/** The record of the session as a history. */
function historyOf(events: readonly HistoryEvent[]): History {
  const builder = new HistoryBuilder(roundOf());
  for (const event of events) builder.add(event);
  return builder.finish();
}

describe('the record of a swallowed ROLLBACK', () => {
  test('is an anomaly of every level, and its certificate is verified', async () => {
    const history = historyOf((await run({ end: 'rollback', statuses: { ROLLBACK: 'inside' } })).events);
    const { anomalies } = checkGraph(inferDependencies(history));
    expect(anomalies.map((each) => each.class)).toEqual(['status-mismatch']);
    const [anomaly] = anomalies;
    expect(anomaly!.levels).toContain('read-uncommitted');
    expect(anomaly!.explanation).toBe(
      "After T1's statement 2 (rollback) the protocol said that the session is inside a transaction, not outside any transaction.",
    );
    expect(anomaly!.row).toBeUndefined();

    const certificate = certificateOf(history, anomaly!);
    const numbered = anomaly!.statements.map((index) => ({ index, txn: 1, number: history.statements.index[index]! }));
    const claim = { ...anomaly!, cycle: [], statements: anomaly!.statements, transactions: anomaly!.transactions };
    expect(verifyFinding(claim, numbered, certificate as never).lines).toEqual(['follows: status-mismatch on no row']);
    const statements = certificate.statements.map(({ statusMismatch: _mismatch, ...others }) => others);
    expect(verifyFinding(claim, numbered, { ...certificate, statements }).holds).toBe(false);
  });
});
