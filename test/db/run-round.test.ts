/**
 * Rounds on every server at hand: what the record of a schedule holds to the letter, how transactions end, what a round
 * leaves behind. Where servers differ (a failed statement, a stale write) the expected lines are given for each kind.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { Connection, Dialect, InstrumentMode, QueryResult } from '../../core/dialect/index.ts';
import type { TxnPlan } from '../../core/program/index.ts';
import type { HistoryEvent } from '../../core/history/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { coverageOf, Recorder, runRound } from '../../src/execute/index.ts';
import type { RoundOutcome, RoundSetup } from '../../src/execute/index.ts';
import { createUser, endOneSession, namespaces, urlAs } from './administration.ts';
import { describeEachServer } from './each-server.ts';
import { auto, column, insert, integer, probed, read, remove, txn, write } from './run-case.ts';

/** The limit of its statements, by which its connections are known. */
const FINAL_READ_MS = 30_000;

/** What a reader wants to see of an event, on one line. */
function line(event: HistoryEvent): string {
  switch (event.e) {
    case 'invoke':
      return `${event.t} > ${event.k}`;
    case 'ok':
      return `${event.t} < ok${event.blocked ? ' blocked' : ''}${event.r ? ` r${event.r[2]}` : ''}${event.w ? ` w${event.w[2]}` : ''}${event.d ? ` d${event.d[2]}` : ''}${event.incomplete ? ' incomplete' : ''}`;
    case 'fail':
      return `${event.t} < ${event.class}${event.blocked ? ' blocked' : ''}`;
    case 'end':
      return `${event.t} ${event.outcome}`;
    case 'header':
    case 'round':
    case 'close':
    case 'images':
    case 'versions':
    case 'predicate':
    case 'look':
    case 'evaluated':
      return event.e;
  }
}

const linesOf = (events: readonly HistoryEvent[], last: number): string[] =>
  events.filter((event) => 't' in event && event.t <= last).map(line);

/** All invocations in order, then each transaction's own lines: the two sessions that one COMMIT concerns may reply in either order. */
function repeatable(events: readonly HistoryEvent[], last: number): string[] {
  const lines = linesOf(events, last);
  const own = (t: number): string[] => lines.filter((each) => each.startsWith(`${t} `) && !each.includes('>'));
  return [...lines.filter((each) => each.includes('>')), ...Array.from({ length: last }, (_, i) => own(i + 1)).flat()];
}

describeEachServer('a round', ({ dialect, start }) => {
  let server: StartedServer;
  let control: Connection;
  let rounds = 0;

  beforeAll(async () => {
    server = await start();
    control = await dialect.connect(server.url, {});
  });
  afterAll(async () => {
    await control?.end();
    await server?.stop();
  });

  /** Weak levels are off on some servers. */
  const weakest = (['read-committed', 'repeatable-read', 'serializable'] as const).find((name) =>
    dialect.levels.some(({ level, offByDefault }) => level === name && offByDefault !== true),
  )!;
  const inForce = (name: Level): string => dialect.levels.find(({ level }) => level === name)!.inForce;
  const { capabilities } = dialect;
  /** After a failed statement the transaction is over, but for a savepoint. */
  const recovers = capabilities.savepointsRecover === true;
  /** Each wait takes long to be seen where the server shows its locks from a cache. */
  const repeats = capabilities.readBeside === true ? 10 : 3;

  interface Play extends Partial<RoundSetup> {
    readonly at?: Level;
    readonly schedule?: readonly number[];
    readonly instrument?: InstrumentMode;
    readonly seen?: (event: HistoryEvent) => void;
  }

  async function play(
    sessions: readonly (readonly TxnPlan[])[],
    options: Play = {},
  ): Promise<{ outcome: RoundOutcome; events: HistoryEvent[] }> {
    const { at = weakest, schedule, instrument: mode = 'exact', seen, ...rest } = options;
    const events: HistoryEvent[] = [];
    const recorder = new Recorder(undefined, { tool: 'test', seed: 's' });
    const add = recorder.add.bind(recorder);
    recorder.add = (event) => {
      events.push(event);
      add(event);
      seen?.(event);
    };
    const outcome = await runRound({
      round: 0,
      probedCase: probed(sessions, { mode, capabilities, ...(schedule && { schedule }) }),
      dialect,
      level: dialect.levels.find((row) => row.level === at)!,
      urls: [server.url],
      mode: schedule ? 'schedule' : 'stress',
      namespace: `run_test_${rounds++}`,
      recorder,
      ...rest,
    });
    return { outcome, events };
  }

  describe('a schedule', () => {
    test(`records both lists of a lost update at ${weakest}, with the second writer blocked`, async () => {
      const { outcome, events } = await play([[txn(1, read('t', 1), write('t', 1, 11))], [txn(2, read('t', 1), write('t', 1, 12))]], {
        schedule: [0, 1, 0, 1, 0, 1, 0, 1],
      });

      expect(repeatable(events, 2)).toEqual([
        '1 > begin',
        '2 > begin',
        '1 > select',
        '2 > select',
        '1 > update',
        '2 > update',
        '1 > commit',
        '2 > commit',
        '1 < ok',
        '1 < ok r,0.0',
        '1 < ok w,0.0,1.1',
        '1 < ok',
        '1 committed',
        '2 < ok',
        '2 < ok r,0.0',
        '2 < ok blocked w,0.0,1.1,2.1',
        '2 < ok',
        '2 committed',
      ]);
      expect(outcome).toMatchObject({ complete: true, inForce: { [inForce(weakest)]: 2 } });
      expect(coverageOf(outcome.history).conflicts).toEqual({ 'select-update rw': 2, 'update-update ww': 1 });
      const final = events.find((event) => event.e === 'ok' && event.t === 3 && event.r !== undefined);
      expect(final).toMatchObject({ r: expect.arrayContaining([',0.0,1.1,2.1']) as unknown });
    });

    test('runs the same way every time', async () => {
      const sessions = [
        [txn(1, write('t', 1, 1), write('t', 2, 1))],
        [txn(2, write('t', 1, 2))],
        [txn(3, write('t', 2, 3), write('t', 1, 3))],
      ];
      const schedule = [2, 0, 1, 0, 2, 1, 0, 2, 1, 0, 1, 2];
      const seen = new Set<string>();
      for (let i = 0; i < repeats; i++) seen.add(repeatable((await play(sessions, { schedule })).events, 3).join('\n'));

      const [first, ...others] = seen;
      for (const other of others) expect(other).toBe(first);
    });

    test('a released session replies before the next step is sent, however slow its reply', async () => {
      const slow = intercepting(dialect, async (result) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return result;
      });
      const sessions = [[txn(1, write('t', 1, 1))], [txn(2, write('t', 1, 2))], [txn(3, read('t', 1))]];
      const { events } = await play(sessions, { dialect: slow, schedule: [0, 0, 1, 1, 0, 2, 2, 2, 1] });

      const lines = linesOf(events, 3);
      expect(lines.indexOf('2 < ok blocked w,0.0,1.1,2.1')).toBeGreaterThan(0);
      expect(lines.indexOf('2 < ok blocked w,0.0,1.1,2.1')).toBeLessThan(lines.indexOf('3 > begin'));
    });

    test('a deadlock ends by the server’s error, before the next step of anybody', async () => {
      const sessions = [[txn(1, write('t', 1, 1), write('t', 2, 1))], [txn(2, write('t', 2, 2), write('t', 1, 2))], [txn(3, read('t', 1))]];
      const { outcome, events } = await play(sessions, { schedule: [0, 1, 0, 1, 0, 1, 2, 2, 2, 0, 1] });

      const lines = linesOf(events, 3);
      expect(lines.filter((each) => each.includes('deadlock'))).toHaveLength(1);
      expect(lines.findIndex((each) => each.includes('deadlock'))).toBeLessThan(lines.indexOf('3 > begin'));
      expect(outcome.complete).toBe(true);
      expect(coverageOf(outcome.history)).toMatchObject({ committed: 2, aborted: 1, errors: { deadlock: 1 } });
    });

    test('a serialization failure ends the transaction, and the session goes on with its next one', async ({ skip }) => {
      const query = await refusingStaleWrites(dialect, control);
      skip(query === undefined, 'it refuses no stale write at REPEATABLE READ');
      const { events } = await play([[txn(1, read('t', 1), write('t', 1, 1)), txn(3, read('t', 1))], [txn(2, write('t', 1, 2))]], {
        at: 'repeatable-read',
        urls: [server.url + query!],
        schedule: [0, 0, 1, 1, 1, 0, 0, 0, 0, 0],
      });

      expect(linesOf(events, 3).slice(-12)).toEqual([
        '1 > update',
        '1 < serialization',
        '1 > rollback',
        '1 < ok',
        '1 aborted',
        '3 > begin',
        '3 < ok',
        '3 > select',
        '3 < ok r,0.0,2.1',
        '3 > commit',
        '3 < ok',
        '3 committed',
      ]);
    });

    test('what the order leaves over is run to the end', async () => {
      const { outcome, events } = await play([[txn(1, write('t', 1, 1))], [txn(2, write('t', 1, 2))]], { schedule: [1, 0, 1] });

      expect(outcome.complete).toBe(true);
      expect(linesOf(events, 2).filter((each) => each.endsWith('committed'))).toHaveLength(2);
    });
  });

  describe('savepoints', () => {
    const savepoint = { kind: 'savepoint', name: 's1' } as const;
    const rollbackTo = { kind: 'rollbackTo', name: 's1' } as const;

    test(`a failed statement is mended by the plan’s next ROLLBACK TO${recovers ? '; what lies between is not sent' : ', and only that statement failed'}`, async () => {
      const plan = txn(1, write('t', 1, 1), savepoint, insert('t', 1), read('t', 2), rollbackTo, write('t', 2, 2));
      const { outcome, events } = await play([[plan]]);

      expect(linesOf(events, 1)).toEqual([
        '1 > begin',
        '1 < ok',
        '1 > update',
        '1 < ok w,0.0,1.1',
        '1 > savepoint',
        '1 < ok',
        '1 > insert',
        '1 < constraint',
        ...(recovers ? [] : ['1 > select', '1 < ok r,0.0']),
        '1 > rollback to',
        '1 < ok',
        '1 > update',
        '1 < ok w,0.0,1.3',
        '1 > commit',
        '1 < ok',
        '1 committed',
      ]);
      const { kind, undone } = outcome.history.statements;
      expect(kind.flatMap((each, s) => (undone[s] === 1 ? [each] : []))).toEqual([
        'insert',
        ...(recovers ? [] : ['select']),
        'rollback to',
      ]);
    });

    test('a serialization failure is not mended by a savepoint', async ({ skip }) => {
      const query = await refusingStaleWrites(dialect, control);
      skip(query === undefined, 'it refuses no stale write at REPEATABLE READ');
      const { events } = await play(
        [[txn(1, read('t', 1), savepoint, write('t', 1, 1), rollbackTo, read('t', 2))], [txn(2, write('t', 1, 2))]],
        { at: 'repeatable-read', urls: [server.url + query!], schedule: [0, 0, 1, 1, 1, 0, 0, 0, 0, 0] },
      );

      expect(linesOf(events, 1).slice(-5)).toEqual(['1 > update', '1 < serialization', '1 > rollback', '1 < ok', '1 aborted']);
    });

    test(
      recovers ? 'without one the rest is not sent and the transaction is rolled back' : 'without one the rest is sent and committed',
      async () => {
        const { events } = await play([[txn(1, insert('t', 1), read('t', 2))]]);

        expect(linesOf(events, 1)).toEqual([
          '1 > begin',
          '1 < ok',
          '1 > insert',
          '1 < constraint',
          ...(recovers ? ['1 > rollback', '1 < ok', '1 aborted'] : ['1 > select', '1 < ok r,0.0', '1 > commit', '1 < ok', '1 committed']),
        ]);
      },
    );
  });

  test('writes show what they wrote and removed; autocommit statements are transactions of their own', async () => {
    const { outcome, events } = await play([[txn(1, insert('t', 7), remove('t', 1)), auto(2, write('t', 7, 5)), auto(3, insert('t', 7))]]);

    const lines = linesOf(events, 3);
    expect(lines).toContain('1 < ok w,1.1');
    expect(lines).toContain('1 < ok d,0.0');
    expect(lines.slice(-6)).toEqual(['2 > update', '2 < ok w,1.1,2.1', '2 committed', '3 > insert', '3 < constraint', '3 aborted']);
    expect(events.find((event) => event.e === 'invoke' && event.t === 2)).toMatchObject({ auto: true, seq: 1, table: 't', reads: 'exact' });
    expect(coverageOf(outcome.history)).toMatchObject({ committed: 2, aborted: 1 });
  });

  test('a write that names fewer versions than it affected rows is incomplete', async () => {
    // Captured is nothing, where writes return nothing.
    const forgetful = intercepting(dialect, async (result, several) => ({ ...result, rows: several ? result.rows.map(() => ['']) : [] }));
    const { events } = await play([[txn(1, write('t', 1, 1))]], { dialect: forgetful });

    expect(linesOf(events, 1)).toContain('1 < ok incomplete');
  });

  test('the paper’s DELETE is preceded by its probe, whose rows count as deleted', async () => {
    const { events } = await play([[txn(1, write('t', 1, 5), remove('t', 1), remove('t', 9))]], { instrument: 'paper' });

    expect(linesOf(events, 1)).toEqual([
      '1 > begin',
      '1 < ok',
      '1 > update',
      '1 < ok',
      '1 > probe',
      '1 < ok',
      '1 > delete',
      '1 < ok d,0.0,1.1',
      '1 > probe',
      '1 < ok',
      '1 > delete',
      '1 < ok',
      '1 > commit',
      '1 < ok',
      '1 committed',
    ]);
  });

  test('a probe whose rows are not the deleted ones is told from one that fits', async () => {
    // The probe's snapshot has k = 1 with v = 10; the second DELETE statement waits for nobody and sees the same: equal.
    const plan = probed([[txn(1, remove('t', 1))]], { mode: 'paper', capabilities });
    const [statement] = plan.sessions[0]!.transactions[0]!.statements;
    const wide = {
      ...statement!.before!.statement,
      where: { kind: 'not', operand: { kind: 'isNull', operand: column('t', 'k'), negated: false } } as const,
    };
    const broken = {
      ...plan,
      sessions: [
        {
          transactions: [
            { ...plan.sessions[0]!.transactions[0]!, statements: [{ ...statement!, before: { ...statement!.before!, statement: wide } }] },
          ],
        },
      ],
    };

    const { events } = await play([], { probedCase: broken });

    expect(linesOf(events, 1)).toContain('1 < ok incomplete');
  });

  test('stress: every session runs its plan, over several endpoints, each read back at the end', async () => {
    const session = (s: number): TxnPlan[] =>
      Array.from({ length: 20 }, (_, i) => txn(1 + s * 20 + i, read('t', 1 + (i % 3)), write('t', 1 + ((i + s) % 3), i)));
    const { outcome, events } = await play([0, 1, 2].map(session), { urls: [server.url, server.url] });

    expect(outcome.complete).toBe(true);
    expect(coverageOf(outcome.history)).toMatchObject({ transactions: 60 });
    expect(events.filter((event) => event.e === 'invoke' && event.k === 'final')).toHaveLength(4);
    expect(events.filter((event) => event.e === 'invoke' && event.k === 'begin' && event.endpoint === 1).length).toBeGreaterThan(20);
  });

  test('a table that the final read could not read leaves the round incomplete', async () => {
    const connect: Dialect['connect'] = async (url, options) => {
      const connection = await dialect.connect(url, options);
      if (options.statementTimeoutMs !== FINAL_READ_MS) return connection;
      const query = connection.query.bind(connection);
      connection.query = (sql) => query(sql.startsWith('SELECT') && sql.includes('iso_rid') ? `${sql} WHERE no_such_column = 1` : sql);
      return connection;
    };
    const { outcome } = await play([[txn(1, write('t', 1, 1))]], { dialect: { ...dialect, connect } });

    expect(outcome).toMatchObject({ complete: false, reason: expect.stringMatching(/^the final read on .* failed$/) as unknown });
    await expectNoNamespace();
  });

  test('a session that is lost ends a stress round, and the others begin nothing more', async () => {
    let down = false;
    let refused = 0;
    const seen = (event: HistoryEvent): void => {
      if (event.e === 'invoke' && event.t === 1 && event.k === 'update') down = true;
    };
    const until = async (ready: () => boolean): Promise<void> => {
      while (!ready()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const connect: Dialect['connect'] = async (url, options) => {
      if (down && options.level !== undefined && options.statementTimeoutMs !== FINAL_READ_MS) {
        refused++;
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      }
      const connection = await dialect.connect(url, options);
      const update = async <T>(first: boolean, send: () => Promise<T>): Promise<T> => {
        if (first) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        await until(() => refused === 3);
        await new Promise((resolve) => setTimeout(resolve, 50));
        return send();
      };
      const query = connection.query.bind(connection);
      connection.query = (sql) => (sql.startsWith('UPDATE') ? update(sql.includes(',1.1'), () => query(sql)) : query(sql));
      const queryAll = connection.queryAll?.bind(connection);
      if (queryAll)
        connection.queryAll = (all) =>
          all.some((sql) => sql.startsWith('UPDATE'))
            ? update(
                all.some((sql) => sql.includes(',1.1')),
                () => queryAll(all),
              )
            : queryAll(all);
      return connection;
    };
    const { outcome, events } = await play([[txn(1, write('t', 1, 1))], [txn(2, write('t', 2, 1)), txn(3, write('t', 3, 1))]], {
      dialect: { ...dialect, connect },
      seen,
    });

    expect(outcome).toMatchObject({ complete: false, answers: true, reason: expect.stringMatching(/^session 0 was lost/) as unknown });
    expect(events.some((event) => event.e === 'invoke' && event.t === 3)).toBe(false);
  });

  test('an autocommit write is of unknown outcome where what failed may be the look at its captures', async ({ skip }) => {
    skip(capabilities.capture === undefined, 'writes return what they made');
    const late = intercepting(dialect, async (result, several) => {
      if (several)
        throw Object.assign(new Error('Lock wait timeout exceeded; try restarting transaction'), {
          errno: 1205,
          code: 'ER_LOCK_WAIT_TIMEOUT',
          sqlState: 'HY000',
        });
      return result;
    });
    const { outcome, events } = await play([[auto(1, write('t', 1, 1))], [txn(2, read('t', 1))]], {
      dialect: late,
      schedule: [0, 1, 1, 1],
    });

    expect(linesOf(events, 1)).toEqual(['1 > update', '1 < lock timeout', '1 unknown']);
    expect(assessHistory(outcome.history).verdict.anomalies).toEqual([]);
  });

  test('enough ends a stress round in order', async () => {
    let asked = 0;
    const { outcome } = await play([[txn(1, read('t', 1)), txn(2, read('t', 1)), txn(3, read('t', 1))]], { enough: () => ++asked > 2 });

    expect(outcome.complete).toBe(true);
    expect(coverageOf(outcome.history).transactions).toBe(2);
  });

  test('an abort ends the round as interrupted and drops the namespace', async () => {
    const controller = new AbortController();
    let sent = 0;
    const seen = (event: HistoryEvent): void => {
      if (event.e === 'invoke' && event.k === 'update' && ++sent === 20) controller.abort();
    };
    const statements = Array.from({ length: 50 }, () => write('t', 1, 1));
    const sessions = Array.from({ length: 3 }, (_, s) => Array.from({ length: 50 }, (_unused, i) => txn(1 + s * 50 + i, ...statements)));
    const { outcome, events } = await play(sessions, { signal: controller.signal, seen });

    expect(outcome).toMatchObject({ complete: false, reason: 'interrupted' });
    expect(outcome.leftover).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ e: 'close', complete: false, reason: 'interrupted' });
    await expectNoNamespace();
  });

  test('an abort in a schedule rolls open transactions back', async () => {
    const controller = new AbortController();
    const seen = (event: HistoryEvent): void => {
      if (event.e === 'invoke' && event.t === 2 && event.k === 'update') setTimeout(() => controller.abort(), 20);
    };
    const many = Array.from({ length: 2000 }, () => read('t', 1));
    const { outcome, events } = await play([[txn(1, write('t', 1, 1), ...many)], [txn(2, write('t', 1, 2))]], {
      signal: controller.signal,
      seen,
      schedule: [0, 0, 1, 1],
    });

    expect(outcome.reason).toBe('interrupted');
    expect(linesOf(events, 2).filter((each) => each.endsWith('aborted'))).toHaveLength(2);
    await expectNoNamespace();
  });

  test('a level in force that is not the one asked for is refused', async ({ skip }) => {
    skip(weakest === 'serializable', 'it has one level only');
    const weak = dialect.levels.find(({ level }) => level === weakest)!;
    const lying: Dialect = {
      ...dialect,
      connect: async (url, options) => {
        const connection = await dialect.connect(url, { ...options, level: weak });
        const begin = connection.begin.bind(connection);
        connection.begin = () => begin(weak);
        return connection;
      },
    };

    await expect(play([[txn(1, read('t', 1))]], { at: 'serializable', dialect: lying })).rejects.toThrow(
      `level in force is '${inForce(weakest)}', asked for '${inForce('serializable')}': refused`,
    );
    await expectNoNamespace();
  });

  test('without the right to create a schema nothing is run, and the message says what is missing', async () => {
    await createUser(dialect, control, 'poor', 'none');

    await expect(play([[txn(1, read('t', 1))]], { urls: [urlAs(server.url, 'poor:none')] })).rejects.toThrow(
      /cannot (make the schema run_test_\d+ on|connect to) .*denied.*right/,
    );
    await expectNoNamespace();
  });

  test('a namespace that exists is refused and left alone', async () => {
    await control.query('CREATE SCHEMA theirs');

    await expect(play([[txn(1, read('t', 1))]], { namespace: 'theirs' })).rejects.toThrow(/exists already/);
    expect(await namespaces(control, 'theirs')).toEqual(['theirs']);
  });

  test('a session that the server ends costs one transaction; it connects again', async () => {
    const session = (s: number): TxnPlan[] =>
      Array.from({ length: 200 }, (_, i) => txn(1 + s * 200 + i, write('t', 1 + s, i), read('t', 2)));
    /** Whether a session was met at work is a race, and so is whether its end came too late for the transaction. */
    const once = async (): Promise<number> => {
      let ended: Promise<boolean> | undefined;
      const enough = (): boolean => {
        ended ??= endOneSession(dialect, control, (_, statement) => /["`]t["`]/.test(statement)).then((found) => {
          if (!found) ended = undefined;
          return found;
        });
        return false;
      };
      const { outcome } = await play([session(0), session(1)], { enough });
      await ended;
      const coverage = coverageOf(outcome.history);
      expect(outcome.complete, outcome.reason).toBe(true);
      expect(coverage.transactions).toBe(400);
      expect(coverage.committed).toBeGreaterThanOrEqual(395);
      return coverage.committed;
    };
    let committed = await once();
    for (let tries = 1; committed === 400 && tries < 20; tries++) committed = await once();
    expect(committed).toBeLessThan(400);
  });

  test('values of integers come back as the server’s text', async () => {
    const { events } = await play([
      [txn(1, { kind: 'select', items: [{ expression: integer(5), alias: 'five' }], from: { kind: 'table', table: 't', alias: 't' } })],
    ]);

    expect(events.find((event) => event.e === 'ok' && event.result !== undefined)).toMatchObject({ result: [['5'], ['5'], ['5']] });
  });

  async function expectNoNamespace(): Promise<void> {
    expect(await namespaces(control, 'run_test_')).toEqual([]);
  }
});

/** The reply to each UPDATE, and to what goes with it, as `act` leaves it. */
function intercepting(dialect: Dialect, act: (result: QueryResult, several: boolean) => Promise<QueryResult>): Dialect {
  return {
    ...dialect,
    connect: async (url, options) => {
      const connection = await dialect.connect(url, options);
      const query = connection.query.bind(connection);
      connection.query = async (sql) => (sql.startsWith('UPDATE') ? act(await query(sql), false) : query(sql));
      const queryAll = connection.queryAll?.bind(connection);
      if (queryAll) {
        connection.queryAll = async (all) => {
          const results = await queryAll(all);
          return all.some((sql) => sql.startsWith('UPDATE')) ? Promise.all(results.map((each) => act(each, true))) : results;
        };
      }
      return connection;
    },
  };
}

/** What the URL must say for the server to refuse a write on what its snapshot does not show; undefined: it never does. */
async function refusingStaleWrites(dialect: Dialect, control: Connection): Promise<string | undefined> {
  if (dialect.capabilities.savepointsRecover === true) return '';
  return (await dialect.facts(control)).configuration['innodb_snapshot_isolation'] === undefined
    ? undefined
    : '?innodb_snapshot_isolation=ON';
}
