/**
 * After an error that ended its transaction a session of the MySQL family is silently in autocommit: what is left of the
 * plan would commit statement by statement. The witness is the server's general log: nothing of the plan arrives any more.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Schema, Statement } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import { TXN_STATUS } from '../../core/base/index.ts';
import { errorText } from '../../core/history/index.ts';
import { mariadb } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { describeFamily } from './mysql-family.ts';
import { SCHEMA, column, equals, insert, integer, read, txn, write } from './run-case.ts';

/** u.v refers to t.k, and follows it. */
const CASCADING: Schema = {
  tables: [
    SCHEMA.tables[0]!,
    {
      ...SCHEMA.tables[1]!,
      rows: [
        [1, 1],
        [2, 1],
        [3, 2],
      ],
      foreignKeys: [{ name: 'f', columns: ['v'], table: 't', references: ['k'], onUpdate: 'cascade', onDelete: 'no action' }],
    },
  ],
};
const move = (k: number, to: number): Statement => ({
  kind: 'update',
  table: 't',
  set: [{ column: 'k', value: integer(to) }],
  where: equals('t', 'k', k),
});
const touch = (k: number): Statement => ({
  kind: 'update',
  table: 'u',
  set: [{ column: 'v', value: column('u', 'v') }],
  where: equals('u', 'k', k),
});
/** Values that occur nowhere else. */
const marked = (session: number): Statement => write('t', 3, 7000 + session);

describeFamily('a transaction that the server ended', ({ dialect, start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let control: Connection;

  beforeAll(async () => {
    server = await start();
    control = await dialect.connect(server.url, { statementTimeoutMs: 120_000 });
    await control.query(`SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = 1`);
  });

  afterAll(async () => {
    control?.destroy();
    await server?.stop();
  });

  interface Played {
    /** Of each session's transaction. */
    readonly status: readonly number[];
    readonly errors: readonly (string | undefined)[];
    /** Whether the statements that stand last in its plan reached the server. */
    readonly arrived: readonly boolean[];
  }

  async function play(
    plans: readonly (readonly Statement[])[],
    schedule: readonly number[],
    { schema = SCHEMA, query = '' }: { schema?: Schema; query?: string } = {},
  ): Promise<Played> {
    await control.query('TRUNCATE mysql.general_log');
    const { capabilities, levels } = dialect;
    const testCase = {
      seed: 'ended',
      schema,
      sessions: plans.map((statements, i) => ({ transactions: [txn(i + 1, ...statements, marked(i))] })),
      schedule,
    };
    const { history } = await runRound({
      round: 0,
      probedCase: instrument(testCase, { mode: 'exact', capabilities }),
      dialect,
      level: levels.find(({ level }) => level === 'repeatable-read')!,
      urls: [server.url + query],
      mode: 'schedule',
      namespace: 'anomalist_ended',
      recorder: new Recorder(undefined, { tool: 'test', seed: 'ended' }),
    });
    const { rows } = await control.query('SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log');
    const { transactions, statements } = history;
    const indexes = plans.map((_, i) => transactions.id.indexOf(i + 1));
    return {
      status: indexes.map((t) => transactions.status[t]!),
      errors: indexes.map(
        (t) => statements.error.flatMap((error, s) => (statements.txn[s] === t && error !== undefined ? [errorText(error)] : []))[0],
      ),
      arrived: plans.map((_, i) => rows.some(([sql]) => sql!.includes(String(7000 + i)))),
    };
  }

  /** One goes through, the other is rolled back, and of that one nothing more has arrived. */
  function expectOneVictim({ status, errors, arrived }: Played, error: RegExp): void {
    expect(new Set(status)).toEqual(new Set([TXN_STATUS.committed, TXN_STATUS.aborted]));
    const victim = status.indexOf(TXN_STATUS.aborted);
    expect(errors[victim]).toMatch(error);
    expect(arrived[victim]).toBe(false);
    expect(arrived[1 - victim], 'the log shows what was sent').toBe(true);
  }

  it('by a deadlock (1213) has nothing more of its plan sent', async () => {
    expectOneVictim(
      await play(
        [
          [write('t', 1, 1), write('t', 2, 1)],
          [write('t', 2, 2), write('t', 1, 2)],
        ],
        [0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1],
      ),
      /1213/,
    );
  });

  it.runIf(dialect === mariadb)('by a violated snapshot (1020) has nothing more of its plan sent', async () => {
    if ((await dialect.facts(control)).configuration['innodb_snapshot_isolation'] === undefined) return; // 10.5 has no such setting
    expectOneVictim(
      await play([[read('t', 1), write('t', 1, 1)], [write('t', 1, 2)]], [0, 0, 1, 1, 1, 1, 0, 0, 0], {
        query: '?innodb_snapshot_isolation=ON',
      }),
      /1020/,
    );
  });

  // MySQL 9.7.4 says OK to a statement whose foreign key's action met a deadlock (docs/DIALECTS.md); MariaDB says 1213.
  it("by a deadlock within a foreign key's action has nothing more of its plan sent, whatever the server says of the statement", async () => {
    const heavy = [insert('t', 11), insert('t', 12), insert('t', 13), insert('t', 14), insert('t', 15), insert('t', 16)];
    const plans = [
      [...heavy, touch(2), write('t', 1, 1)],
      [write('t', 2, 5), move(1, 50)],
    ];
    const played = await play(plans, [...Array.from({ length: 8 }, () => 0), 1, 1, 1, 0, 0, 0, 1, 1, 1], { schema: CASCADING });
    expectOneVictim(played, /1213|ROLLED_BACK_SILENTLY/);
    expect(played.status[1]).toBe(TXN_STATUS.aborted);
  });
});
