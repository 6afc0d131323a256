/**
 * Poolers between us and the server. One that lends sessions for a transaction or a statement is refused before anything is
 * set or written; through one that gives each connection its own all runs as it does without, a user's tables of the same
 * names stay as they are, byte for byte, and the next client of the pool finds nothing of ours in its session.
 *
 * ANOMALIST_POOLER_RUNS says how often every command is run in each mode (default 1). One process runs all commands that are
 * refused. Through session pooling each command has a process of its own the first time, and the further runs, with other
 * seeds, share one process.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ForeignSession, UsageError } from '../../core/base/index.ts';
import type { Schema } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import type { HistoryEvent, InvokeEvent } from '../../core/history/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { CommandsProcess, startCli } from './cli.ts';
import type { Finished } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { COMMANDS, OWN_WORKLOAD, SPEC_COMMAND, runOn, wordsFor } from './every-command.ts';
import type { CommandRow } from './every-command.ts';
import { startMessageProxy } from './message-proxy.ts';
import { startMultiplexingProxy } from './multiplexing-proxy.ts';
import type { MultiplexingProxy } from './multiplexing-proxy.ts';
import { namesakes, snapshot } from './namesakes.ts';
import { startPgbouncer, whyNoPgbouncer } from './pgbouncer.ts';
import type { PoolMode } from './pgbouncer.ts';
import { sharedServer } from './suite-server.ts';

const RUNS = Number(process.env['ANOMALIST_POOLER_RUNS'] ?? 1);
/** As every test has it (vitest.config.ts), for each time that every command is run. */
const HALF_AN_HOUR = 1_800_000;
const EVERY = [...COMMANDS, SPEC_COMMAND];

const why = whyNoPgbouncer();
if (why !== undefined) describe.skip(`poolers before PostgreSQL, skipped: ${why}`, () => it('', () => {}));
describe.skip('ProxySQL and MaxScale before MySQL, skipped: no suite of Debian has a package of either', () => it('', () => {}));

describe.runIf(why === undefined)('PgBouncer before PostgreSQL', () => {
  let folder: string;
  let server: StartedServer;
  let direct: Connection;
  let theirs: Schema;
  let pooler: StartedServer | undefined;
  let commands: CommandsProcess;
  let runs = 0;
  const file = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    writeFileSync(file('own.sql'), OWN_WORKLOAD);
    commands = new CommandsProcess();
    server = await startPostgres();
    direct = await postgres.connect(server.url, {});
    theirs = await namesakes(postgres, file('own.sql'));
    const made = postgres.createNamespace('public', theirs).slice(2);
    for (const sql of made) await direct.query(sql);
    for (const { name } of theirs.tables) await direct.query(`UPDATE public."${name}" SET iso_rid = 'r0.0_1', iso_w = ',0.0'`);
  });

  afterEach(async () => {
    await pooler?.stop();
    pooler = undefined;
  });

  afterAll(async () => {
    await commands?.end();
    await direct?.end();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
    console.log(`${runs} runs of ${EVERY.length} commands through PgBouncer`);
  });

  /** A worker's store is made for one run. */
  const again = (row: CommandRow, url: string): Promise<readonly Finished[]> =>
    commands.repeat(row.on === undefined ? RUNS - 1 : 0, wordsFor(row, file, url));

  async function start(mode: PoolMode, more: { readonly size?: number; readonly resetQuery?: string } = {}): Promise<string> {
    pooler = await startPgbouncer(server.url, { mode, ...more });
    return pooler.url;
  }

  it('the user has tables of all the names that ours have, with rows', async () => {
    const names = theirs.tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['kv', 't0', 't1', 'counters', 'log', 'savings', 'orders']));
    expect(await snapshot(direct, theirs)).toMatch(/^kv \w{32} [1-9]/m);
  });

  it.each(['transaction', 'statement'] as const)(
    '%s pooling is refused before the first write, by every command',
    async (mode) => {
      const url = await start(mode);
      const before = await snapshot(direct, theirs);
      const settings = await settingsOf(url, 1);
      for (const row of EVERY) {
        const { name } = row;
        for (const { code, stdout, stderr } of [await runOn(row, file, url, commands.run), ...(await again(row, url))]) {
          runs++;
          expect({ code, stdout }, `${name}: ${stderr}`).toEqual({ code: 2, stdout: '' });
          expect(stderr, name).toMatch(
            /pooler.*(two connections, both open|takes no transactions)?.*expected a session of the server for each connection.*connect to the server directly.*pool_mode=session/s,
          );
        }
      }
      expect(await snapshot(direct, theirs)).toBe(before);
      expect(await settingsOf(url, 8)).toEqual(Array.from({ length: 8 }, () => settings[0]));
    },
    HALF_AN_HOUR * RUNS,
  );

  it(
    'session pooling: every command runs, and the next clients find nothing of ours even where the pool resets nothing',
    async () => {
      const url = await start('session', { resetQuery: '' });
      const before = await snapshot(direct, theirs);
      const [settings] = await settingsOf(url, 1);
      for (const row of EVERY) {
        const { name } = row;
        for (const each of [() => runOn(row, file, url), () => again(row, url)]) {
          for (const { code, stdout, stderr } of [await each()].flat()) {
            runs++;
            expect([0, 1, 3], `${name}: ${stdout}\n${stderr}`).toContain(code);
          }
          expect(await snapshot(direct, theirs), name).toBe(before);
        }
      }
      const backends = await countBackends(direct);
      expect(backends).toBeGreaterThan(2);
      expect(await settingsOf(url, backends)).toEqual(Array.from({ length: backends }, () => settings));
    },
    HALF_AN_HOUR * RUNS,
  );

  it('session pooling: nor after a run that was interrupted', async () => {
    const url = await start('session', { resetQuery: '' });
    const before = await snapshot(direct, theirs);
    const [settings] = await settingsOf(url, 1);
    const running = startCli(['run', '--url', url, '--duration', '60s', '--seed', '7', '--out', file('out')]);
    const inside =
      "SELECT count(*)::text FROM pg_catalog.pg_stat_activity WHERE application_name = 'anomalist' AND query LIKE '%anomalist\\_%.%'";
    await expect.poll(async () => Number((await direct.query(inside)).rows[0]![0]), { timeout: 600_000, interval: 20 }).toBeGreaterThan(1);
    running.child.kill('SIGINT');
    expect((await running.done).code).toBe(130);
    expect(await snapshot(direct, theirs)).toBe(before);
    const backends = await countBackends(direct);
    expect(await settingsOf(url, backends)).toEqual(Array.from({ length: backends }, () => settings));
  });

  it('a pool of fewer sessions than are held at once is told apart from one that shares them', async () => {
    const url = await start('session', { size: 2 });
    const error: unknown = await postgres.expectOwnSessions(url).catch((e: unknown) => e);
    expect((error as Error).message).toMatch(/did not serve the third of 3 connections held at once within 10 s.*default_pool_size/);
  });

  it('behind the test at the start: a transaction in another session than the one that was set is seen before its first statement', async () => {
    const url = await start('transaction', { size: 1 });
    const [level] = postgres.levels.filter(({ level: name }) => name === 'read-committed');
    const [a, b] = [await postgres.connect(url, {}), await postgres.connect(url, {})];
    expect(await b.begin(level!)).toEqual({ inForce: 'read committed' });
    await b.rollback();
    expect(await a.begin(level!)).toEqual({ inForce: 'read committed', foreign: 'a backend that we have not set' });
    a.destroy();
    await b.end();
  });

  it('behind the test at the start: a round ends as a failure, with no statement of its plans sent', async () => {
    const url = await start('transaction', { size: 1 });
    const before = await snapshot(direct, theirs);
    const { testCase } = CANONICAL[0]!;
    const events: InvokeEvent[] = [];
    class Heard extends Recorder {
      override add(event: HistoryEvent): void {
        super.add(event);
        if (event.e === 'invoke') events.push(event);
      }
    }
    const recorder = new Heard(undefined, { tool: 'test', seed: '0' });
    const level = postgres.levels.find(({ level: name }) => name === 'read-committed')!;
    const round = runRound({
      round: 0,
      probedCase: instrument(testCase, { mode: 'exact', capabilities: postgres.capabilities }),
      dialect: postgres,
      level,
      urls: [url],
      mode: 'schedule',
      namespace: 'anomalist_foreign',
      recorder,
    });
    const error: unknown = await round.catch((e: unknown) => e);
    const session = Number(/^session (\d+):/.exec((error as Error).message)?.[1]);
    expect(events.filter(({ s }) => s === session).map(({ k }) => k)).toEqual(['begin']);
    expect(error).toBeInstanceOf(ForeignSession);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(
      /session \d+: a transaction ran in a backend that we have not set: refused.*pool_mode is session/,
    );
    expect(await snapshot(direct, theirs)).toBe(before);
  });
});

describeEachServer(
  'a proxy that multiplexes',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let proxy: MultiplexingProxy | undefined;
    let commands: CommandsProcess;

    beforeAll(() => {
      commands = new CommandsProcess();
    });
    afterAll(() => commands.end());
    afterEach(async () => {
      await proxy?.close();
      proxy = undefined;
    });

    it.each(COMMANDS)('is refused before the first write: $name', async (row) => {
      proxy = await startMultiplexingProxy(suite.server.url);
      const { code, stdout, stderr } = await runOn(row, (name) => join(suite.folder, name), proxy.url, commands.run);
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /is no server of \w+ but a pooler that lends its sessions for a transaction: (two connections, both open|one connection was in session).*connect to the server directly/s,
      );
      expect(proxy.sent.length).toBeGreaterThan(2);
      expect([...new Set(proxy.sent)].toSorted()).toEqual(['COMMIT', 'SELECT CONNECTION_ID(), VERSION()', 'START TRANSACTION']);
    });

    it('behind the test at the start: a transaction in another session is seen before its first statement', async () => {
      proxy = await startMultiplexingProxy(suite.server.url);
      const level = dialect.levels.find(({ level: name }) => name === 'repeatable-read')!;
      const [a, b] = [await dialect.connect(proxy.url, {}), await dialect.connect(proxy.url, {})];
      const begun: (string | undefined)[] = [];
      for (const each of [a, b]) {
        begun.push((await each.begin(level)).foreign);
        await each.rollback();
      }
      expect(begun).toContainEqual(expect.stringMatching(/^connection \d+ of the server instead of \d+$/));
      a.destroy();
      b.destroy();
    });

    it('a session with a database of its own is not one of ours', async () => {
      const level = dialect.levels.find(({ level: name }) => name === 'repeatable-read')!;
      const connection = await dialect.connect(suite.server.url, {});
      expect(await connection.begin(level)).toEqual({ inForce: level.inForce });
      await connection.rollback();
      await connection.query('USE information_schema');
      expect((await connection.begin(level)).foreign).toBe('the database `information_schema` instead of none');
      await connection.end();
    });

    it('what was set is taken back when a session ends, before its connection is closed', async () => {
      const commands: number[] = [];
      const relay = await startMessageProxy(suite.server.url, {
        fromClient: (packet) => {
          if (packet[3] === 0) commands.push(packet[4]!);
          return packet;
        },
      });
      await (await dialect.connect(relay.url, {})).end();
      // COM_RESET_CONNECTION, behind which comes COM_QUIT alone.
      expect(commands.filter((command) => command !== 1).at(-1)).toBe(31);
      await relay.close();
    });
  },
  { protocol: true, fits: ({ capabilities }) => capabilities.replace === true },
);

/** Server connections of the pool. */
async function countBackends(direct: Connection): Promise<number> {
  const { rows } = await direct.query(
    "SELECT count(*)::text FROM pg_catalog.pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  return Number(rows[0]![0]);
}

/** All settings as each of so many ordinary clients of the pool sees them, all open at once. */
async function settingsOf(url: string, clients: number): Promise<readonly string[]> {
  const { default: pg } = await import('pg');
  const open: Client[] = [];
  const found: string[] = [];
  try {
    for (let n = 0; n < clients; n++) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      open.push(client);
      // A trigger of ours has the server load PL/pgSQL into a session, which then lists that library's settings too: here each does.
      await client.query('DO $$ BEGIN END $$');
      const { rows } = await client.query<{ name: string; setting: string }>('SHOW ALL');
      found.push(rows.map(({ name, setting }) => `${name}=${setting}`).join('\n'));
    }
  } finally {
    for (const client of open) await client.end();
  }
  return found;
}
