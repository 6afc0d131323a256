// A session on a live MySQL or MariaDB: levels, commit tags, errors and their scope, waits, the namespace guard, lost connections.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BlockedWatcher, ClassifiedError, Connection, ConnectOptions, DialectLevel } from '../../core/dialect/index.ts';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { DIALECTS, mariadb, mysql } from '../../dialects/index.ts';
import { describeFamily } from './mysql-family.ts';
import { until } from './process-watch.ts';

const NAMESPACE = 'anomalist_connection';
const SCHEMA = { tables: [] } as const;
/** The limit of statements that run into it; what goes before them in its session has to take less. */
const SHORT_MS = 3_000;
const ENDLESS = 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT COUNT(*) FROM n a, n b, n c, n d';

describeFamily('a session', ({ dialect, start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let control: Connection;
  let a: Connection;
  let b: Connection;
  /** As the server says; undefined where it knows of no such setting. */
  let snapshotIsolation: string | undefined;
  const [, RC, RR, SER] = dialect.levels as [DialectLevel, DialectLevel, DialectLevel, DialectLevel];
  const isMaria = dialect === mariadb;

  beforeAll(async () => {
    server = await start();
    control = await dialect.connect(server.url, { statementTimeoutMs: 120_000 });
    await dialect.dropNamespace(control, NAMESPACE);
    for (const { sql } of dialect.namespaceScript(NAMESPACE, SCHEMA)) await control.query(sql);
    await control.query(
      'CREATE TABLE t (id int PRIMARY KEY, v int, s varchar(3), CONSTRAINT positive CHECK (v >= 0)); CREATE TABLE child (id int PRIMARY KEY, t int NOT NULL, CONSTRAINT f FOREIGN KEY (t) REFERENCES t (id))',
    );
    snapshotIsolation = (await dialect.facts(control)).configuration['innodb_snapshot_isolation'];
    a = await connectTo();
    b = await connectTo();
  });

  afterAll(async () => {
    for (const connection of [a, b]) connection?.destroy();
    if (control) await dialect.dropNamespace(control, NAMESPACE);
    control?.destroy();
    await server?.stop();
  });

  const open: Connection[] = [];

  async function connectTo(options: ConnectOptions = {}, url = server.url): Promise<Connection> {
    const connection = await dialect.connect(url, { namespace: NAMESPACE, statementTimeoutMs: 120_000, ...options });
    open.push(connection);
    return connection;
  }

  // What a test that failed left open must not make the next one wait.
  afterEach(async () => {
    for (const connection of open.splice(0)) {
      if (connection === a || connection === b) await connection.rollback();
      else connection.destroy();
    }
    open.push(a, b);
  });

  async function fresh(): Promise<void> {
    for (const connection of [a, b]) await connection.rollback();
    await control.query('DELETE FROM child; DELETE FROM t; INSERT INTO t (id, v) VALUES (1, 10), (2, 20)');
  }

  async function failure(promise: Promise<unknown>): Promise<Error> {
    return promise.then(
      (value) => {
        throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
      },
      (error: unknown) => error as Error,
    );
  }

  const failed = async (promise: Promise<unknown>): Promise<ClassifiedError> => dialect.classifyError(await failure(promise));
  const values = async (): Promise<unknown> => (await control.query('SELECT v FROM t ORDER BY id')).rows.map(([v]) => v);

  async function untilWaits(backends: readonly string[], expected: Readonly<Record<string, readonly string[]>>): Promise<void> {
    for (const watcher of watchers()) {
      // A watcher that does not name the others says who waits.
      const asked = async (): Promise<unknown> =>
        watcher.waits === undefined ? [...(await watcher.blocked(backends))] : Object.fromEntries(await watcher.waits(backends));
      const answer = watcher.waits === undefined ? Object.keys(expected) : expected;
      await until(async () => JSON.stringify(await asked()) === JSON.stringify(answer));
      expect(await asked()).toEqual(answer);
    }
  }

  /** The thorough watcher, and the one that explorations ask after every step. */
  const watchers = (): readonly BlockedWatcher[] => [dialect.watchBlocked(control), dialect.watchWaits!(control)];

  /** What InnoDB itself says of a transaction that has locked something; its table is cached for 100 ms. */
  async function innodbLevel(connection: Connection): Promise<string> {
    await connection.query('SELECT mark FROM anomalist_mark LOCK IN SHARE MODE');
    for (let look = 0; look < 2_000; look++) {
      await sleep(130);
      const { rows } = await control.query(
        `SELECT trx_isolation_level FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = ${connection.backend} AND trx_query IS NULL`,
      );
      if (rows[0]?.[0]) return rows[0][0].toLowerCase();
    }
    return 'never listed';
  }

  describe('levels', () => {
    it.each(dialect.levels)('$level is in force inside the transaction, as InnoDB itself says, and opens no snapshot', async (level) => {
      await fresh();
      expect(await a.begin(level)).toEqual({ inForce: level.inForce });
      // A row committed after BEGIN and before the first read is seen at every level.
      await control.query('INSERT INTO t (id, v) VALUES (3, 30)');
      expect((await a.query('SELECT count(*) FROM t')).rows).toEqual([['3']]);
      expect(await innodbLevel(a)).toBe(level.inForce);
      expect(await a.commit()).toEqual({ tag: 'commit' });
    });

    it('a level that was set for the next transaction only does not reach ours', async () => {
      await a.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
      expect(await a.begin(RC)).toEqual({ inForce: 'read committed' });
      expect(await innodbLevel(a)).toBe('read committed');
      await a.rollback();
    });

    it.each(dialect.levels)('$level may be the level of autocommit statements', async (level) => {
      const connection = await connectTo({ level });
      const { rows } = await connection.query(`SHOW SESSION VARIABLES LIKE 't%_isolation'`);
      expect(rows.map(([, value]) => value!.toLowerCase().replaceAll('-', ' '))).toContain(level.inForce);
      await connection.end();
    });
  });

  describe('commit', () => {
    it('of a transaction that the server rolled back is a rollback, and nothing more of it reaches the server', async () => {
      await fresh();
      await a.begin(SER);
      await b.begin(SER);
      for (const connection of [a, b]) await connection.query('SELECT * FROM t WHERE id = 1');
      const settled = await Promise.allSettled([
        a.query('UPDATE t SET v = v + 1 WHERE id = 1'),
        b.query('UPDATE t SET v = v + 1 WHERE id = 1'),
      ]);
      const [victim, other] = settled[0].status === 'rejected' ? [a, b] : [b, a];
      expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      expect(await other.commit()).toEqual({ tag: 'commit' });
      // The session is in autocommit: sent, these would commit one by one.
      for (const late of [victim.query('UPDATE t SET v = 77 WHERE id = 2'), victim.queryAll!(['UPDATE t SET v = 78 WHERE id = 2'])]) {
        expect(await failed(late)).toMatchObject({ class: 'aborted transaction', scope: 'transaction' });
      }
      expect(await victim.commit()).toEqual({ tag: 'rollback' });
      expect(await values()).toEqual(['11', '20']);
      await victim.query('UPDATE t SET v = 21 WHERE id = 2');
      expect(await values()).toEqual(['11', '21']);
    });

    it('of a transaction with a failed statement keeps the rest of it', async () => {
      await fresh();
      await a.begin(RR);
      await a.query('UPDATE t SET v = 11 WHERE id = 1');
      expect(await failed(a.query('INSERT INTO t (id, v) VALUES (1, 1)'))).toMatchObject({
        code: '1062',
        class: 'constraint',
        scope: 'statement',
      });
      expect(await a.commit()).toEqual({ tag: 'commit' });
      expect(await values()).toEqual(['11', '20']);
    });
  });

  describe('errors of statements', () => {
    const CASES: readonly (readonly [string, string, string])[] = [
      ['INSERT INTO t (id, v) VALUES (1, 1)', '1062', 'constraint'],
      ['INSERT INTO t (id, v) VALUES (9, -1)', isMaria ? '4025' : '3819', 'constraint'],
      ['INSERT INTO child VALUES (1, 99)', '1452', 'constraint'],
      ['INSERT INTO child VALUES (1, NULL)', '1048', 'constraint'],
      ['INSERT INTO child (id) VALUES (1)', '1364', 'constraint'],
      [`INSERT INTO t (id, s) VALUES (9, 'long')`, '1406', 'data'],
      ['INSERT INTO t (id, v) VALUES (9, 2147483648)', '1264', 'data'],
      [`INSERT INTO t (id, v) VALUES (9, 'x')`, '1366', 'data'],
      ['SELECT (SELECT id FROM t)', '1242', 'data'],
      ['SELECT 9223372036854775807 + 1', '1690', 'data'],
      ['SELEC 1', '1064', 'syntax'],
      ['SELECT * FROM no_such_table', '1146', 'syntax'],
      [ENDLESS, isMaria ? '1969' : '3024', 'statement timeout'],
    ];
    it.each(CASES)('%s is %s, %s, and the transaction goes on', async (sql, code, errorClass) => {
      await fresh();
      const connection = await connectTo(sql === ENDLESS ? { statementTimeoutMs: SHORT_MS } : {});
      await connection.begin(RR);
      await connection.query('UPDATE t SET v = 11 WHERE id = 1');
      expect(await failed(connection.query(sql))).toMatchObject({ code, class: errorClass, scope: 'statement' });
      expect(await connection.commit()).toEqual({ tag: 'commit' });
      expect(await values()).toEqual(['11', '20']);
      await connection.end();
    });

    it('NOWAIT and a lock wait without an end are lock timeouts of the statement', async () => {
      await fresh();
      const impatient = await connectTo();
      expect((await impatient.query('SELECT @@innodb_lock_wait_timeout, @@lock_wait_timeout')).rows).toEqual([['120', '120']]);
      await impatient.query('SET SESSION innodb_lock_wait_timeout = 1');
      await a.begin(RC);
      await a.query('UPDATE t SET v = 0 WHERE id = 1');
      await impatient.begin(RC);
      await impatient.query('UPDATE t SET v = 21 WHERE id = 2');
      expect(await failed(impatient.query('SELECT * FROM t FOR UPDATE NOWAIT'))).toMatchObject({
        code: isMaria ? '1205' : '3572',
        class: 'lock timeout',
        scope: 'statement',
      });
      const skipping = impatient.query(
        dialect.print({
          kind: 'select',
          items: [{ expression: { kind: 'column', table: 't', column: 'id' }, alias: 'id' }],
          from: { kind: 'table', table: 't', alias: 't' },
          lock: { strength: 'update', wait: 'skip locked' },
        }),
      );
      // MariaDB 10.5 has no SKIP LOCKED: there the lock waits.
      if ((await dialect.facts(control)).version.startsWith('10.5.')) expect(await failed(skipping)).toMatchObject({ code: '1205' });
      else expect((await skipping).rows).toEqual([['2']]);
      expect(await failed(impatient.query('UPDATE t SET v = 1 WHERE id = 1'))).toMatchObject({
        code: '1205',
        class: 'lock timeout',
        scope: 'statement',
      });
      expect(await impatient.commit()).toEqual({ tag: 'commit' });
      await a.rollback();
      expect(await values()).toEqual(['10', '21']);
      await impatient.end();
    });

    it('a circle of waits is a deadlock, which ends the transaction', async () => {
      await fresh();
      await a.begin(RC);
      await b.begin(RC);
      await a.query('UPDATE t SET v = 0 WHERE id = 1');
      await b.query('UPDATE t SET v = 0 WHERE id = 2');
      const settled = await Promise.allSettled([a.query('UPDATE t SET v = 0 WHERE id = 2'), b.query('UPDATE t SET v = 0 WHERE id = 1')]);
      const rejected = settled.filter((s) => s.status === 'rejected');
      expect(rejected.map((s) => dialect.classifyError(s.reason))).toMatchObject([
        { code: '1213', class: 'deadlock', scope: 'transaction' },
      ]);
    });

    it.runIf(isMaria)('a deadlock over an auto-increment counter ends the transaction, whatever the server calls it', async () => {
      await fresh();
      await control.query('DROP TABLE IF EXISTS counted; CREATE TABLE counted (id int AUTO_INCREMENT PRIMARY KEY, v int)');
      await a.begin(SER);
      await b.begin(SER);
      // MySQL has no such lock by default (innodb_autoinc_lock_mode). a is the heavier one, so the victim is b, which waits for the counter that a's INSERT ... SELECT holds to its end.
      await a.query('INSERT INTO counted (v) VALUES (1), (2), (3), (4), (5), (6), (7), (8)');
      await b.query('UPDATE t SET v = 5 WHERE id = 2');
      const slow = a.query('INSERT INTO counted (v) SELECT v FROM t');
      await untilWaits([a.backend, b.backend], { [a.backend]: [b.backend] });
      const error = dialect.classifyError(
        (await b.query('INSERT INTO counted (v) SELECT 9').then(
          () => undefined,
          (reason: unknown) => reason,
        )) ??
          (await slow.then(
            () => undefined,
            (reason: unknown) => reason,
          )),
      );
      expect(error.scope, `${error.code} ${error.message}`).toBe('transaction');
      expect(await failed(b.query('UPDATE t SET v = 77 WHERE id = 2'))).toMatchObject({ class: 'aborted transaction' });
      expect(await b.commit()).toEqual({ tag: 'rollback' });
      await slow;
      await a.commit();
      expect(await values()).toEqual(['10', '20']);
      await control.query('DROP TABLE counted');
    });

    it('a write that runs on ends with a statement timeout, as a read does', async () => {
      await fresh();
      const connection = await connectTo({ statementTimeoutMs: SHORT_MS });
      await connection.begin(RR);
      await connection.query('UPDATE t SET v = 11 WHERE id = 1');
      expect(await failed(connection.query(`UPDATE t SET v = (${ENDLESS}) WHERE id = 2`))).toMatchObject({
        class: 'statement timeout',
        scope: 'statement',
      });
      expect(await connection.commit()).toEqual({ tag: 'commit' });
      expect(await values()).toEqual(['11', '20']);
      await connection.end();
    });

    // MySQL 9.7.4 says OK, one row matched, none changed, and commits the half of the action that went before (docs/DIALECTS.md).
    it("a lock timeout within a foreign key's action is an error, or an OK that says that nothing was changed", async () => {
      await fresh();
      await control.query(
        'DROP TABLE IF EXISTS follower; CREATE TABLE follower (id int PRIMARY KEY, t int, CONSTRAINT g FOREIGN KEY (t) REFERENCES t (id) ON UPDATE CASCADE); INSERT INTO follower VALUES (1, 1), (2, 1)',
      );
      const impatient = await connectTo();
      await impatient.query('SET SESSION innodb_lock_wait_timeout = 1');
      await a.begin(RR);
      await a.query('UPDATE follower SET t = 2 WHERE id = 2');
      const moved = impatient.query('UPDATE t SET id = 7 WHERE id = 1').then(
        (result) => result,
        (error: unknown) => dialect.classifyError(error).code,
      );
      expect([{ affected: 1, changed: 0 }, '1205']).toContainEqual(
        await moved.then((said) => (typeof said === 'string' ? said : { affected: said.affected, changed: said.changed })),
      );
      await a.rollback();
      expect((await control.query('SELECT id FROM t ORDER BY id')).rows).toEqual([['1'], ['2']]);
      await control.query('DROP TABLE follower');
    });

    it.runIf(isMaria)(
      'a row changed since the snapshot is a serialization failure with innodb_snapshot_isolation, and none without',
      async () => {
        if (snapshotIsolation === undefined) return; // 10.5 has no such setting
        for (const setting of ['ON', 'OFF']) {
          await fresh();
          const connection = await connectTo({}, `${server.url}?innodb_snapshot_isolation=${setting}`);
          expect((await dialect.facts(connection)).configuration['innodb_snapshot_isolation']).toBe(setting);
          await connection.begin(RR);
          await connection.query('SELECT * FROM t');
          await control.query('UPDATE t SET v = 0 WHERE id = 1');
          const update = connection.query('UPDATE t SET v = v + 1 WHERE id = 1');
          if (setting === 'OFF') expect((await update).affected).toBe(1);
          else expect(await failed(update)).toMatchObject({ code: '1020', class: 'serialization', scope: 'transaction' });
          expect(await connection.commit()).toEqual({ tag: setting === 'ON' ? 'rollback' : 'commit' });
          await connection.end();
        }
      },
    );
  });

  describe('affected rows', () => {
    it('are the matched ones, changed or not', async () => {
      await fresh();
      expect((await a.query('UPDATE t SET v = v')).affected).toBe(2);
      expect((await a.query('UPDATE t SET v = 10')).affected).toBe(2);
    });

    it('of several statements are those of the last one without rows, and each one has its own', async () => {
      await fresh();
      expect(await a.query('UPDATE t SET v = 0; SELECT id FROM t ORDER BY id')).toMatchObject({
        affected: 2,
        columns: ['id'],
        rows: [['1'], ['2']],
      });
      expect(await a.queryAll!(['SET @x = 1', 'UPDATE t SET v = 1 WHERE id = 1', 'SELECT @x'])).toMatchObject([
        { affected: 0 },
        { affected: 1 },
        { rows: [['1']] },
      ]);
    });
  });

  describe('who is blocked', () => {
    it('sees a session that waits for a row, for whom, and no longer once it goes on', async () => {
      await fresh();
      await a.begin(RC);
      await a.query('UPDATE t SET v = 0 WHERE id = 1');
      await b.begin(RC);
      const waiting = b.query('UPDATE t SET v = v + 1 WHERE id = 1');
      await untilWaits([a.backend, b.backend], { [b.backend]: [a.backend] });
      await a.commit();
      expect((await waiting).affected).toBe(1);
      await untilWaits([a.backend, b.backend], {});
    });

    it('sees one that waits for a session that has only read', async () => {
      await fresh();
      await a.begin(SER);
      await a.query('SELECT v FROM t WHERE id = 1');
      await b.begin(SER);
      await b.query('SELECT v FROM t WHERE id = 2');
      const waiting = b.query('UPDATE t SET v = 0 WHERE id = 1');
      await untilWaits([a.backend, b.backend], { [b.backend]: [a.backend] });
      await a.commit();
      expect((await waiting).affected).toBe(1);
      await untilWaits([a.backend, b.backend], {});
    });

    it('sees one whose place in the server another session had a moment ago', async () => {
      await fresh();
      const watcher = dialect.watchWaits!(control);
      for (let turn = 0; turn < 3; turn++) {
        const reader = await connectTo({ level: RC });
        await a.begin(RC);
        await a.query('UPDATE t SET v = 0 WHERE id = 1');
        await reader.begin(RC);
        // It waits for what it reads, so that it has no number yet. A snapshot would make MariaDB refuse the row.
        const waiting = reader.query('SELECT v FROM t WHERE id = 1 LOCK IN SHARE MODE');
        await until(async () => (await watcher.blocked([a.backend, reader.backend])).has(reader.backend));
        await a.commit();
        await waiting;
        await reader.end();
      }
    });

    it('sees one that waits for a key in doubt', async () => {
      await fresh();
      await a.begin(RC);
      await a.query('INSERT INTO t (id, v) VALUES (5, 1)');
      await b.begin(RC);
      const waiting = b.query('INSERT INTO t (id, v) VALUES (5, 2)');
      await untilWaits([a.backend, b.backend], { [b.backend]: [a.backend] });
      await a.rollback();
      expect((await waiting).affected).toBe(1);
    });

    it('sees one that waits for a table definition', async () => {
      await fresh();
      await a.begin(RC);
      await a.query('SELECT * FROM child');
      const waiting = b.query('ALTER TABLE child ADD COLUMN extra int');
      const watcher = dialect.watchBlocked(control);
      await until(async () => (await watcher.blocked([a.backend, b.backend])).has(b.backend));
      expect([...(await watcher.blocked([a.backend, b.backend]))]).toEqual([b.backend]);
      await a.commit();
      await waiting;
      await b.query('ALTER TABLE child DROP COLUMN extra');
    });
  });

  describe('namespaces', () => {
    it('that exist are not used, and those without our mark not dropped', async () => {
      await expect(dialect.assertFree(control, NAMESPACE)).rejects.toThrow(/exists already/);
      await control.query('CREATE DATABASE somebody_elses; CREATE TABLE somebody_elses.anomalist_mark (id int)');
      await expect(dialect.dropNamespace(control, 'somebody_elses')).rejects.toThrow(UsageError);
      expect((await control.query(`SHOW DATABASES LIKE 'somebody\\_elses'`)).rows).toEqual([['somebody_elses']]);
      await control.query('DROP DATABASE somebody_elses');
      await dialect.assertFree(control, 'somebody_elses');
      await dialect.dropNamespace(control, 'somebody_elses');
    });
  });

  describe('connections', () => {
    const where = (change: (url: URL) => void): string => {
      const url = new URL(server.url);
      change(url);
      return url.href;
    };

    it('that fail say what is wrong and what to do, without the password', async () => {
      await control.query(`CREATE USER 'locked'@'%' IDENTIFIED BY 'rightpass'`);
      const sentence = async (url: string): Promise<string> => {
        const error = await failure(dialect.connect(url, {}));
        expect(error).toBeInstanceOf(DatabaseError);
        expect(error.message).not.toContain('wrongpass');
        return error.message;
      };
      expect(await sentence(where((url) => Object.assign(url, { username: 'locked', password: 'wrongpass' })))).toMatch(
        /user or the password is wrong.*percent-encoded/,
      );
      expect(await sentence(where((url) => Object.assign(url, { pathname: '/no_such_database' })))).toMatch(/no such database/);
      expect(await sentence(where((url) => Object.assign(url, { username: 'locked', password: '' })))).toMatch(
        /MYSQL_PWD is read, and ~\/\.my\.cnf is not/,
      );
      vi.stubEnv('MYSQL_PWD', 'rightpass');
      try {
        (
          await dialect.connect(
            where((url) => Object.assign(url, { username: 'locked', password: '' })),
            {},
          )
        ).destroy();
      } finally {
        vi.unstubAllEnvs();
      }
      await control.query(`DROP USER 'locked'@'%'`);
      const closed = createServer();
      await new Promise<void>((resolve) => {
        closed.listen(0, '127.0.0.1', resolve);
      });
      const { port } = closed.address() as AddressInfo;
      closed.close();
      expect(await sentence(where((url) => Object.assign(url, { port: String(port) })))).toMatch(/refused.*check that the server runs/);
    });

    it('to a server of the other make are refused with the word to write', async () => {
      const other = isMaria ? mysql : mariadb;
      const error = await failure(
        other.connect(where((url) => Object.assign(url, { search: '' })).replace(/^\w+:/, `${other.schemes[0]}:`), {}),
      );
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toMatch(new RegExp(`is not ${other.title} but ${dialect.title}.*write ${dialect.schemes[0]}://`));
      expect(DIALECTS).toContain(other);
    });

    it('killed by the server are lost, in flight and idle', async () => {
      const killed = await connectTo();
      const flight = failed(killed.query('SELECT SLEEP(30)'));
      await control.query(`KILL ${killed.backend}`);
      expect(await flight).toMatchObject({ class: 'connection', scope: 'connection' });
      expect(await failed(killed.query('SELECT 1'))).toMatchObject({ class: 'connection', scope: 'connection' });
      await killed.end();

      const idle = await connectTo();
      await control.query(`KILL ${idle.backend}`);
      const listed = `SELECT 1 FROM information_schema.processlist WHERE id = ${idle.backend}`;
      expect(await until(async () => (await control.query(listed)).rows.length === 0)).toBe(true);
      expect(await failed(idle.commit())).toMatchObject({ class: 'connection', scope: 'connection' });
    });

    it('dropped by us reject what is in flight', async () => {
      const dropped = await connectTo();
      const flight = failed(dropped.query('SELECT SLEEP(30)'));
      dropped.destroy();
      expect(await flight).toMatchObject({ class: 'connection', scope: 'connection' });
      await dropped.end();
    });

    it('whose statement was cancelled go on', async () => {
      const cancelled = await connectTo();
      await cancelled.begin(RC);
      const flight = failed(cancelled.query(ENDLESS));
      await until(
        async () =>
          (
            await control.query(
              `SELECT id FROM information_schema.processlist WHERE id = ${cancelled.backend} AND info LIKE 'WITH RECURSIVE%'`,
            )
          ).rows.length > 0,
      );
      await control.query(`KILL QUERY ${cancelled.backend}`);
      expect(await flight).toMatchObject({ code: '1317', scope: 'statement' });
      expect(await cancelled.commit()).toEqual({ tag: 'commit' });
      await cancelled.end();
    });
  });

  it('names the server and the settings that its promises depend on', async () => {
    const { version, configuration } = await dialect.facts(control);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(configuration).toMatchObject({ innodb_rollback_on_timeout: 'OFF', innodb_deadlock_detect: 'ON' });
    expect(configuration['sql_mode']).toContain('STRICT_TRANS_TABLES');
  });
});
