/** What a round leaves on record when its server dies, falls silent or ends a session: on every server at hand. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Dialect } from '../../core/dialect/index.ts';
import type { ProbedCase } from '../../core/program/index.ts';
import type { HistoryEvent } from '../../core/history/index.ts';
import { postgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import type { RoundOutcome, RoundSetup } from '../../src/execute/index.ts';
import { endOneSession } from './administration.ts';
import { describeEachProtocol } from './each-server.ts';
import { eventsOf } from './history-events.ts';
import { probed, read, txn, write } from './run-case.ts';
import { suiteServer } from './suite-server.ts';

describeEachProtocol('a server', ({ dialect, start }) => {
  const suite = suiteServer(start);
  const path = (name: string): string => join(suite.folder, `${name}.ndjson.gz`);
  const recorded = (name: string): HistoryEvent[] => eventsOf(path(name));

  /** Made once, before any test connects: a driver gives up on a connection while this keeps its event loop busy. */
  let probedCase: ProbedCase;
  beforeAll(() => {
    const plan = [0, 1, 2].map((s) =>
      Array.from({ length: 3000 }, (_, i) => txn(1 + s * 3000 + i, read('t', 1 + (i % 3)), write('t', 1 + s, i))),
    );
    probedCase = probed(plan, { mode: 'exact', capabilities: dialect.capabilities });
  });

  async function stress(name: string, server: StartedServer, options: Partial<RoundSetup> = {}): Promise<RoundOutcome> {
    const recorder = new Recorder(path(name), { tool: 'test', seed: 's' });
    try {
      return await runRound({
        round: 0,
        probedCase,
        dialect,
        level: dialect.levels.find((row) => row.level === 'read-committed')!,
        urls: [server.url],
        mode: 'stress',
        namespace: `faults_${name}`,
        recorder,
        // A busy server may be silent for longer than the product's own limit: that would be another fault.
        statementTimeoutMs: 120_000,
        ...options,
      });
    } finally {
      recorder.end();
    }
  }

  test.concurrent.for(['SIGKILL', 'SIGQUIT'] as const)(
    'that dies in the middle (%s) leaves a whole record, and commits on their way are unknown',
    async (signal, { skip }) => {
      skip(signal === 'SIGQUIT' && dialect !== postgres, 'SIGQUIT ends a PostgreSQL at once, others in order');
      const server = await start();
      try {
        const outcome = await stress(signal.toLowerCase(), server, { enough: after(200, () => server.kill(signal)) });

        expect(outcome.answers).toBeUndefined();
        expect(outcome).toMatchObject({ complete: false, reason: expect.stringMatching(/^session \d was lost: /) as string });
        expect(outcome.leftover).toMatchObject({ code: 'schema-left', data: { schema: expect.stringMatching(/^faults_/) as string } });
        const events = recorded(signal.toLowerCase());
        expect(events.at(-1)).toMatchObject({ e: 'close', complete: false });
        for (const t of endedBy(events, 'unknown')) expect(lastKind(events, t)).toBe('commit');
        for (const t of endedBy(events, 'committed')) expect(lastKind(events, t)).toBe('commit');
        const begun = new Set(events.flatMap((event) => (event.e === 'invoke' ? [event.t] : [])));
        const ended = events.filter((event) => event.e === 'end');
        expect(ended).toHaveLength(begun.size);
      } finally {
        await server.stop();
      }
    },
  );

  test.concurrent('whose network swallows everything costs the round its time limit, not for ever', async () => {
    const proxy = await swallowingProxy(Number(new URL(suite.server.url).port));
    const url = suite.server.url.replace(/:\d+\//, `:${proxy.port}/`);
    const play = (name: string, statementTimeoutMs: number): Promise<RoundOutcome> =>
      stress(name, suite.server, {
        urls: [url],
        statementTimeoutMs,
        enough: after(20, proxy.swallow),
        dialect: impatient(dialect, proxy.swallows),
      });
    let outcome: RoundOutcome | undefined;
    let name = '';
    // On a busy machine a session may be silent for the limit before the network is. That is another fault: the next try has
    // a longer limit, a record and a schema of its own.
    for (let tries = 0; tries < 8 && !proxy.swallows(); tries++) {
      name = `swallowed_${tries}`;
      outcome = await play(name, 5_000 * 2 ** tries).catch((error: unknown) => {
        if (proxy.swallows()) throw error;
        return undefined;
      });
    }
    proxy.close();

    expect(outcome).toMatchObject({ complete: false, reason: expect.stringMatching(/was lost/) as string });
    expect(outcome?.leftover).toMatchObject({ code: 'schema-left' });
    expect(recorded(name).at(-1)).toMatchObject({ e: 'close', complete: false });
  });

  test.concurrent('gets no statement that was not on record before', async () => {
    const missing: string[] = [];
    const watched: Dialect = {
      ...dialect,
      connect: async (url, options) => {
        const connection = await dialect.connect(url, options);
        if (options.level === undefined) return connection;
        const onRecord = (sent: string): void => {
          const events = recorded('watched');
          // The record names tables without their schema, which its round names, and leaves out which session BEGIN asks for.
          const namespace = events.find((event) => event.e === 'round')?.namespace;
          const sql = sent.replaceAll(new RegExp(`["\`]${namespace}["\`]\\.`, 'g'), '').replace(', CONNECTION_ID(), DATABASE()', '');
          if (!events.slice(-12).some((event) => event.e === 'invoke' && event.sql === sql)) missing.push(sql);
        };
        const { query, commit } = { query: connection.query.bind(connection), commit: connection.commit.bind(connection) };
        const queryAll = connection.queryAll?.bind(connection);
        connection.query = (sql) => (onRecord(sql), query(sql));
        if (queryAll) connection.queryAll = (all) => (onRecord(all.join('; ')), queryAll(all));
        connection.commit = () => (onRecord('COMMIT'), commit());
        return connection;
      },
    };
    let asked = 0;
    const outcome = await stress('watched', suite.server, { dialect: watched, enough: () => ++asked > 60 });

    expect(outcome.complete).toBe(true);
    expect(missing).toEqual([]);
  });

  test.concurrent('that ends one session for good costs the round, and answers for the next one', async () => {
    let outcome: RoundOutcome | undefined;
    // A busy server may not answer in time after it: the next try has a record and a schema of its own.
    for (let tries = 0; tries < 20 && outcome?.answers !== true; tries++) outcome = await endedIn(`ended_${tries}`);

    expect(outcome).toMatchObject({ complete: false, answers: true });
    expect(outcome!.reason).toMatch(/session \d was lost/);
  });

  /** A round of which the server ends a session, which cannot come back. */
  async function endedIn(name: string): Promise<RoundOutcome> {
    let refusing = 0; // as often as a session tries to connect again
    let playing = true;
    let killed: Promise<void> | undefined;
    const sessions = new Set<string>(); // other rounds run on the same server
    const refused: Dialect = {
      ...dialect,
      connect: async (url, options) => {
        if (options.level !== undefined && refusing-- > 0) throw new Error('refused');
        const connection = await dialect.connect(url, options);
        if (options.level !== undefined) sessions.add(connection.backend);
        return connection;
      },
    };
    const act = after(200, () => {
      refusing = 3;
      killed = killOne(sessions, () => playing);
    });
    // Not before the session that was ended has tried to come back: what ends the round is its loss.
    const outcome = await stress(name, suite.server, { dialect: refused, enough: act });
    playing = false;
    await killed;
    return outcome;
  }

  /** The server ends one of the sessions at work. */
  async function killOne(sessions: ReadonlySet<string>, playing: () => boolean): Promise<void> {
    const control = await dialect.connect(suite.server.url, {});
    while (playing() && !(await endOneSession(dialect, control, (session) => sessions.has(session))));
    await control.end();
  }
});

/** Calls once, when so many transactions have been started. */
function after(transactions: number, act: () => void): () => boolean {
  let asked = 0;
  return () => {
    if (++asked === transactions) act();
    return false;
  };
}

/** Passes bytes on until told to swallow them. */
async function swallowingProxy(to: number): Promise<{ port: number; swallow: () => void; swallows: () => boolean; close: () => void }> {
  const sockets = new Set<Socket>();
  let swallowing = false;
  const proxy = createServer((client) => {
    const server = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (swallowing || into.write(bytes)));
      from.on('close', () => swallowing || into.destroy());
      from.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    swallow: () => (swallowing = true),
    swallows: () => swallowing,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

/** Gives up on new connections after a second, from some time on. */
function impatient(dialect: Dialect, now: () => boolean): Dialect {
  const expired = async (): Promise<never> => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    throw new Error('timeout expired');
  };
  return {
    ...dialect,
    connect: (url, options) => (now() ? Promise.race([dialect.connect(url, options), expired()]) : dialect.connect(url, options)),
  };
}

function endedBy(events: readonly HistoryEvent[], outcome: string): number[] {
  return events.flatMap((event) => (event.e === 'end' && event.outcome === outcome ? [event.t] : []));
}

function lastKind(events: readonly HistoryEvent[], t: number): string | undefined {
  return events.flatMap((event) => (event.e === 'invoke' && event.t === t ? [event.k] : [])).at(-1);
}
