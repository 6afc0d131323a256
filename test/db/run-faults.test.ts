import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Dialect, HistoryEvent } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { Recorder, runRound } from '../../src/run/index.ts';
import type { RoundOutcome, RoundSetup } from '../../src/run/index.ts';
import { probed, read, txn, write } from './run-case.ts';

let server: StartedServer;
let folder = '';

beforeEach(async () => {
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'anomalist-faults-'));
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const path = (): string => join(folder, 'history.ndjson');
const recorded = (): HistoryEvent[] => readFileSync(path(), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as HistoryEvent);

async function stress(options: Partial<RoundSetup> = {}): Promise<RoundOutcome> {
  const recorder = new Recorder(path(), { tool: 'test', seed: 's' });
  const plan = [0, 1, 2].map((s) => Array.from({ length: 3000 }, (_, i) => txn(1 + s * 3000 + i, read('t', 1 + (i % 3)), write('t', 1 + s, i))));
  try {
    return await runRound({
      round: 0,
      probedCase: probed(plan, { mode: 'exact', capabilities: postgres.capabilities }),
      dialect: postgres,
      level: postgres.levels.find((row) => row.level === 'read-committed')!,
      urls: [server.url],
      mode: 'stress',
      namespace: 'faults',
      recorder,
      ...options,
    });
  } finally {
    recorder.end();
  }
}

/** Calls once, when so many transactions have been started. */
function after(transactions: number, act: () => void): () => boolean {
  let asked = 0;
  return () => {
    if (++asked === transactions) act();
    return false;
  };
}

test.each([['SIGKILL'], ['SIGQUIT']] as const)('a server that dies in the middle (%s) leaves a whole record, and commits on their way are unknown', async (signal) => {
  const outcome = await stress({ enough: after(200, () => server.kill(signal)) });

  expect(outcome.answers).toBeUndefined();
  expect(outcome).toMatchObject({ complete: false, reason: expect.stringMatching(/^session \d was lost: /) as string });
  expect(outcome.leftover).toMatch(/faults could not be dropped/);
  const events = recorded();
  expect(events.at(-1)).toMatchObject({ e: 'close', complete: false });
  for (const t of endedBy(events, 'unknown')) expect(lastKind(events, t)).toBe('commit');
  for (const t of endedBy(events, 'committed')) expect(lastKind(events, t)).toBe('commit');
  const begun = new Set(events.flatMap((event) => (event.e === 'invoke' ? [event.t] : [])));
  const ended = events.filter((event) => event.e === 'end');
  expect(ended).toHaveLength(begun.size);
});

test('a network that swallows everything costs the round its time limit, not for ever', async () => {
  const proxy = await swallowingProxy(Number(new URL(server.url).port));
  const url = server.url.replace(/:\d+\//, `:${proxy.port}/`);
  const outcome = await stress({ urls: [url], statementTimeoutMs: 200, enough: after(200, proxy.swallow), dialect: impatient });
  proxy.close();

  expect(outcome).toMatchObject({ complete: false, reason: expect.stringMatching(/was lost/) as string });
  expect(outcome.leftover).toMatch(/could not be dropped/);
  expect(recorded().at(-1)).toMatchObject({ e: 'close', complete: false });
});

test('every statement that the server got was on record before', async () => {
  const missing: string[] = [];
  const watched: Dialect = {
    ...postgres,
    connect: async (url, options) => {
      const connection = await postgres.connect(url, options);
      if (options.namespace === undefined) return connection;
      const onRecord = (sql: string): void => {
        if (!readFileSync(path(), 'utf8').trimEnd().split('\n').slice(-12).some((line) => (JSON.parse(line) as { sql?: string }).sql === sql)) missing.push(sql);
      };
      const { query, commit } = { query: connection.query.bind(connection), commit: connection.commit.bind(connection) };
      connection.query = (sql) => (onRecord(sql), query(sql));
      connection.commit = () => (onRecord('COMMIT'), commit());
      return connection;
    },
  };
  let asked = 0;
  const outcome = await stress({ dialect: watched, enough: () => ++asked > 60 });

  expect(outcome.complete).toBe(true);
  expect(missing).toEqual([]);
});

test('a server that ends one session for good costs the round, and answers for the next one', async () => {
  let refusing = 0; // as often as a session tries to connect again
  const refused: Dialect = { ...postgres, connect: async (url, options) => (options.namespace !== undefined && refusing-- > 0 ? Promise.reject(new Error('refused')) : postgres.connect(url, options)) };
  const outcome = await stress({
    dialect: refused,
    enough: after(200, () => {
      refusing = 3;
      void killOne();
    }),
  });

  expect(outcome).toMatchObject({ complete: false, answers: true });
  expect(outcome.reason).toMatch(/session \d was lost/);
});

/** The server ends a session at work. */
async function killOne(): Promise<void> {
  const control = await postgres.connect(server.url, {});
  await control.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid() LIMIT 1`);
  await control.end();
}

/** Passes bytes on until told to swallow them. */
async function swallowingProxy(to: number): Promise<{ port: number; swallow: () => void; close: () => void }> {
  const sockets = new Set<Socket>();
  let swallowing = false;
  const proxy = createServer((client) => {
    const server = connect(to, '127.0.0.1');
    for (const [from, into] of [[client, server], [server, client]] as const) {
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
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

/** Gives up on new connections after a second. */
const impatient: Dialect = {
  ...postgres,
  connect: (url, options) => Promise.race([postgres.connect(url, options), new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout expired')), 1000))]),
};

function endedBy(events: readonly HistoryEvent[], outcome: string): number[] {
  return events.flatMap((event) => (event.e === 'end' && event.outcome === outcome ? [event.t] : []));
}

function lastKind(events: readonly HistoryEvent[], t: number): string | undefined {
  return events.flatMap((event) => (event.e === 'invoke' && event.t === t ? [event.k] : [])).at(-1);
}
