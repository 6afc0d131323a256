// A session on a live PostgreSQL: levels, commit tags, errors, waits, the namespace guard, lost connections.
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { connect as dial, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, ConnectOptions, DialectLevel } from '../../core/dialect/index.ts';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { until } from './process-watch.ts';

let server: StartedServer;
let a: Connection;
let b: Connection;
let control: Connection;
let folder: string;
const levels = Object.fromEntries(postgres.levels.map((row) => [row.level, row])) as Record<string, DialectLevel>;
const RC = levels['read-committed'] as DialectLevel;
const RR = levels['repeatable-read'] as DialectLevel;
const SER = levels['serializable'] as DialectLevel;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  chmodSync(folder, 0o755);
  const hba = join(folder, 'pg_hba.conf');
  writeFileSync(hba, 'host all locked 127.0.0.1/32 scram-sha-256\nhost all shut 127.0.0.1/32 reject\nhost all all 127.0.0.1/32 trust\n', {
    mode: 0o644,
  });
  server = await startPostgres({ settings: { hba_file: hba } });
  // A test that failed inside a transaction must not make the next one wait for ever.
  control = await postgres.connect(server.url, { statementTimeoutMs: 120_000 });
  await control.query(
    `CREATE ROLE locked LOGIN PASSWORD 'rightpass'; CREATE ROLE shut LOGIN; CREATE ROLE weak LOGIN; CREATE TABLE public.t (id integer PRIMARY KEY, v integer)`,
  );
  a = await connectTo({ namespace: 'public' });
  b = await connectTo({ namespace: 'public' });
});

afterAll(async () => {
  for (const connection of [a, b, control]) connection?.destroy();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function connectTo(options: ConnectOptions, user = 'postgres'): Promise<Connection> {
  return postgres.connect(server.url.replace('//postgres@', `//${user}@`), options);
}

async function fresh(): Promise<void> {
  await control.query('TRUNCATE public.t; INSERT INTO public.t VALUES (1, 10), (2, 20)');
}

/** Polls until the watcher names these backends. */
async function untilBlocked(backends: readonly string[], expected: readonly string[]): Promise<void> {
  const watcher = postgres.watchBlocked(control);
  await until(async () => {
    const blocked = await watcher.blocked(backends);
    return expected.every((backend) => blocked.has(backend)) && blocked.size === expected.length;
  });
  expect([...(await watcher.blocked(backends))]).toEqual(expected);
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as Error,
  );
}

/** Passes everything on, but holds back each final ReadyForQuery ('Z', length 5, status) for a moment. */
async function lateStatusProxy(): Promise<{ url: string; close: () => void }> {
  const { port, hostname } = new URL(server.url);
  const proxy = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      const cut = chunk.at(-6) === 0x5a && chunk.at(-2) === 5 ? chunk.length - 6 : chunk.length;
      client.write(chunk.subarray(0, cut));
      if (cut < chunk.length) setTimeout(() => client.write(chunk.subarray(cut)), 20);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const url = server.url.replace(`:${port}/`, `:${(proxy.address() as AddressInfo).port}/`);
  return { url, close: () => void proxy.close() };
}

describe('levels', () => {
  it.each(postgres.levels)('$level is in force inside the transaction, and opens no snapshot', async (level) => {
    await fresh();
    expect(await a.begin(level)).toEqual({ inForce: level.inForce });
    // A row committed after BEGIN and before the first read is seen at every level.
    await control.query('INSERT INTO public.t VALUES (3, 30)');
    expect((await a.query('SELECT count(*) FROM t')).rows).toEqual([['3']]);
    expect((await a.query('SHOW transaction_isolation')).rows).toEqual([[level.inForce]]);
    expect(await a.commit()).toEqual({ tag: 'commit' });
  });

  it.each(postgres.levels)('$level may be the level of autocommit statements', async (level) => {
    const connection = await connectTo({ level });
    expect((await connection.query('SHOW transaction_isolation')).rows).toEqual([[level.inForce]]);
    await connection.end();
  });
});

describe('commit', () => {
  it('says the transaction id of a writer and none of a reader', async () => {
    await fresh();
    await a.begin(RC);
    await a.query('UPDATE t SET v = 11 WHERE id = 1');
    const { rows } = await a.query('SELECT pg_current_xact_id_if_assigned()::text');
    expect(await a.commit()).toEqual({ tag: 'commit', xid: rows[0]?.[0] });
    await a.begin(RC);
    await a.query('SELECT * FROM t');
    expect(await a.commit()).toEqual({ tag: 'commit' });
  });

  it('of a failed transaction is a rollback without an error', async () => {
    await fresh();
    await a.begin(RC);
    await a.query('UPDATE t SET v = 99');
    await failure(a.query('SELECT 1/0'));
    expect(postgres.classifyError(await failure(a.query('SELECT 1')))).toMatchObject({ code: '25P02', class: 'aborted transaction' });
    expect(await a.commit()).toEqual({ tag: 'rollback' });
    expect((await a.query('SELECT v FROM t ORDER BY id')).rows).toEqual([['10'], ['20']]);
  });

  it('of a transaction mended by ROLLBACK TO is a commit', async () => {
    await fresh();
    await a.begin(RC);
    await a.query('UPDATE t SET v = 11 WHERE id = 1');
    await a.query('SAVEPOINT s');
    await failure(a.query('INSERT INTO t VALUES (1, 1)'));
    await a.query('ROLLBACK TO SAVEPOINT s');
    expect(await a.commit()).toMatchObject({ tag: 'commit', xid: expect.stringMatching(/^\d+$/) as string });
    expect((await a.query('SELECT v FROM t ORDER BY id')).rows).toEqual([['11'], ['20']]);
  });

  it('knows of a failure even where the server says late how the transaction stands', async () => {
    const { url, close } = await lateStatusProxy();
    const connection = await postgres.connect(url, {});
    await connection.begin(RC);
    await failure(connection.query('SELECT 1/0'));
    expect(await connection.commit()).toEqual({ tag: 'rollback' });
    await connection.end();
    close();
  });

  it('that could not ask for the transaction id leaves the session outside any transaction', async () => {
    const weak = await connectTo({}, 'weak');
    await control.query('REVOKE EXECUTE ON FUNCTION txid_current_if_assigned() FROM PUBLIC');
    await weak.begin(RC);
    const error = await failure(weak.commit());
    await control.query('GRANT EXECUTE ON FUNCTION txid_current_if_assigned() TO PUBLIC');
    expect(postgres.classifyError(error)).toMatchObject({ class: 'permission', scope: 'transaction' });
    expect((await weak.query('SELECT 1')).rows).toEqual([['1']]);
    await weak.end();
  });

  it('that is refused rejects and leaves the session outside any transaction', async () => {
    await fresh();
    for (const connection of [a, b]) {
      await connection.begin(SER);
      await connection.query('SELECT sum(v) FROM t');
    }
    await a.query('UPDATE t SET v = v + 1 WHERE id = 1');
    await b.query('UPDATE t SET v = v + 1 WHERE id = 2');
    expect(await a.commit()).toMatchObject({ tag: 'commit' });
    expect(postgres.classifyError(await failure(b.commit()))).toMatchObject({ class: 'serialization', scope: 'transaction' });
    expect((await b.query('SELECT v FROM t ORDER BY id')).rows).toEqual([['11'], ['20']]);
    expect(await b.begin(RC)).toEqual({ inForce: 'read committed' });
    await b.rollback();
  });
});

describe('errors of statements', () => {
  const CASES: readonly (readonly [string, string, string])[] = [
    ['INSERT INTO t VALUES (1, 1)', '23505', 'constraint'],
    [`SELECT 'x'::integer`, '22P02', 'data'],
    ['SELEC 1', '42601', 'syntax'],
    ['SELECT * FROM no_such_table', '42P01', 'syntax'],
    ['SELECT pg_sleep(60)', '57014', 'statement timeout'],
  ];
  it.each(CASES)('%s is %s', async (sql, code, errorClass) => {
    await fresh();
    const connection = await connectTo({ namespace: 'public', statementTimeoutMs: errorClass === 'statement timeout' ? 2_000 : 120_000 });
    expect(postgres.classifyError(await failure(connection.query(sql)))).toMatchObject({ code, class: errorClass, scope: 'transaction' });
    expect((await connection.query('SELECT 1')).rows).toEqual([['1']]);
    await connection.end();
  });

  it('NOWAIT on a locked row is a lock timeout, a circle of waits a deadlock', async () => {
    await fresh();
    await a.begin(RC);
    await a.query('UPDATE t SET v = 0 WHERE id = 1');
    expect(postgres.classifyError(await failure(b.query('SELECT * FROM t FOR UPDATE NOWAIT')))).toMatchObject({
      code: '55P03',
      class: 'lock timeout',
    });
    await b.begin(RC);
    await b.query('UPDATE t SET v = 0 WHERE id = 2');
    const settled = await Promise.allSettled([a.query('UPDATE t SET v = 0 WHERE id = 2'), b.query('UPDATE t SET v = 0 WHERE id = 1')]);
    const rejected = settled.filter((s) => s.status === 'rejected');
    expect(rejected.map((s) => postgres.classifyError(s.reason).class)).toEqual(['deadlock']);
    await a.rollback();
    await b.rollback();
  });

  it('a second writer at REPEATABLE READ is a serialization failure', async () => {
    await fresh();
    await a.begin(RR);
    await a.query('SELECT * FROM t');
    await control.query('UPDATE public.t SET v = 0 WHERE id = 1');
    expect(postgres.classifyError(await failure(a.query('UPDATE t SET v = 1 WHERE id = 1')))).toMatchObject({
      code: '40001',
      class: 'serialization',
    });
    await a.rollback();
  });
});

describe('who is blocked', () => {
  it('sees a session that waits for a row, and no longer once it goes on', async () => {
    await fresh();
    await a.begin(RC);
    await a.query('UPDATE t SET v = 0 WHERE id = 1');
    await b.begin(RC);
    const waiting = b.query('UPDATE t SET v = v + 1 WHERE id = 1 RETURNING v');
    await untilBlocked([a.backend, b.backend], [b.backend]);
    await a.commit();
    expect((await waiting).rows).toEqual([['1']]);
    await untilBlocked([a.backend, b.backend], []);
    await b.commit();
  });

  it('sees a session that waits to know whether a unique key is free', async () => {
    await fresh();
    await a.begin(RC);
    await a.query('INSERT INTO t VALUES (5, 5)');
    const waiting = b.query('INSERT INTO t VALUES (5, 6)');
    await untilBlocked([a.backend, b.backend], [b.backend]);
    await a.rollback();
    expect((await waiting).affected).toBe(1);
  });

  it('sees a session that waits for a safe snapshot', async () => {
    await fresh();
    await a.begin(SER);
    await a.query('UPDATE t SET v = 0 WHERE id = 1');
    await b.query('BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE');
    const waiting = b.query('SELECT count(*) FROM t');
    await untilBlocked([a.backend, b.backend], [b.backend]);
    await a.commit();
    expect((await waiting).rows).toEqual([['2']]);
    await b.commit();
  });

  it('asks only about the sessions named', async () => {
    expect(await postgres.watchBlocked(control).blocked([])).toEqual(new Set());
    await expect(postgres.watchBlocked(control).blocked(["1}'; DROP TABLE t; --"])).rejects.toThrow(/no backend pid/);
  });
});

describe('the namespace guard', () => {
  it('makes, refuses and drops our own', async () => {
    await postgres.assertFree(control, 'mine');
    for (const { sql } of postgres.namespaceScript('mine', { tables: [] })) await control.query(sql);
    await expect(postgres.assertFree(control, 'mine')).rejects.toThrow(UsageError);
    await postgres.dropNamespace(control, 'mine');
    await postgres.assertFree(control, 'mine');
    await postgres.dropNamespace(control, 'mine');
  });

  it('refuses to use or drop what it did not make', async () => {
    await control.query(`CREATE SCHEMA theirs; CREATE SCHEMA commented; COMMENT ON SCHEMA commented IS 'anomalist: mine'`);
    for (const name of ['public', 'theirs', 'commented', 'pg_catalog', 'information_schema']) {
      await expect(postgres.assertFree(control, name)).rejects.toThrow(/exists already/);
      await expect(postgres.dropNamespace(control, name)).rejects.toThrow(UsageError);
    }
    const { rows } = await control.query(`SELECT count(*) FROM pg_namespace WHERE nspname IN ('public', 'theirs', 'commented')`);
    expect(rows).toEqual([['3']]);
  });

  it('unqualified names mean the namespace', async () => {
    const connection = await connectTo({ namespace: 'no "such" schema' });
    expect((await connection.query('SHOW search_path')).rows).toEqual([['"no ""such"" schema"']]);
    await connection.end();
  });

  it('a user without rights gets a permission error', async () => {
    const weak = await connectTo({}, 'weak');
    const [create = ''] = postgres.namespaceScript('mine', { tables: [] }).map(({ sql }) => sql);
    expect(postgres.classifyError(await failure(weak.query(create)))).toMatchObject({ code: '42501', class: 'permission' });
    await weak.end();
  });
});

describe('a session that cannot be opened says what, where and what to do', () => {
  const at = (change: (url: string) => string) => failure(postgres.connect(change(server.url), {}));

  it.each([
    [
      'a refused port',
      (url: string) => url.replace(/:\d+\//, ':1/'),
      /127\.0\.0\.1:1\/postgres: the connection was refused .*check that the server runs/,
    ],
    ['a missing database', (url: string) => url.replace(/postgres$/, 'nowhere'), /no such database .*create it/],
    ['a wrong password', (url: string) => url.replace('postgres@', 'locked:wrongpass@'), /user or the password is wrong/],
    ['a missing password', (url: string) => url.replace('postgres@', 'locked@'), /asks for a password and the URL has none/],
    ['an unknown user', (url: string) => url.replace('postgres@', 'shut@'), /does not let this user in/],
    ['an unknown host', (url: string) => url.replace('127.0.0.1', 'no-such-host.invalid'), /host name is unknown|does not answer/],
  ])('%s', async (_, change, words) => {
    const error = await at(change);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error.message).toMatch(words);
    expect(error.message).not.toMatch(/wrongpass|\n/);
  });

  it('a password with characters that break the URL', async () => {
    const error = await at((url) => url.replace('postgres@', 'locked:wrong/pass@'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/percent-encode/);
    expect(error.message).not.toMatch(/wrong\/|\/pass/);
    // Others break only some programs' URLs, and not libpq's.
    const whole = await at((url) => url.replace('postgres@', 'locked:wrong#pass?@'));
    expect(whole.message).toMatch(/user or the password is wrong/);
    expect(whole.message).not.toMatch(/wrong#|#pass/);
  });

  it('a service that is no PostgreSQL', async () => {
    const other = createServer((socket) => socket.end('hello\n'));
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const error = await failure(postgres.connect(`postgres://u:wrongpass@127.0.0.1:${(other.address() as AddressInfo).port}/db`, {}));
    other.close();
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error.message).not.toContain('wrongpass');
  });

  it('opens with the right password', async () => {
    const connection = await connectTo({}, 'locked:rightpass');
    expect(connection.backend).toMatch(/^\d+$/);
    await connection.end();
  });
});

describe('a lost connection', () => {
  it('rejects the pending and every later call as a connection error', async () => {
    const victim = await connectTo({});
    await victim.begin(RC);
    const pending = failure(victim.query('SELECT pg_sleep(60)'));
    await control.query(`SELECT pg_terminate_backend(${victim.backend})`);
    expect(postgres.classifyError(await pending)).toMatchObject({ class: 'connection', scope: 'connection' });
    for (const call of [() => victim.query('SELECT 1'), () => victim.begin(RC), () => victim.commit(), () => victim.rollback()]) {
      expect(postgres.classifyError(await failure(call()))).toMatchObject({ class: 'connection', scope: 'connection' });
    }
    await victim.end();
  });

  it('while idle does not end the process', async () => {
    const victim = await connectTo({});
    await control.query(`SELECT pg_terminate_backend(${victim.backend})`);
    expect(postgres.classifyError(await failure(victim.query('SELECT pg_sleep(60)')))).toMatchObject({ class: 'connection' });
    await victim.end();
  });

  it('by destroy() rejects what is pending', async () => {
    const victim = await connectTo({});
    const pending = failure(victim.query('SELECT pg_sleep(60)'));
    victim.destroy();
    expect(postgres.classifyError(await pending)).toMatchObject({ class: 'connection' });
    expect(postgres.classifyError(await failure(victim.query('SELECT 1')))).toMatchObject({ class: 'connection' });
    await victim.end();
  });
});

describe('facts', () => {
  it('name the server and the settings that promises depend on', async () => {
    const { version, configuration } = await postgres.facts(await connectTo({ level: SER }));
    expect(version).toMatch(/^PostgreSQL \d+/);
    expect(configuration).toMatchObject({ in_hot_standby: 'off', fsync: 'off', default_transaction_isolation: 'read committed' });
  });
});
