// CockroachDB without a CockroachDB: its tables, and its sessions with a server that only speaks the protocol.
import { afterEach, describe, expect, it } from 'vitest';
import { judge } from '../../../check/index.ts';
import type { Anomaly, AnomalyClass, Connection, Level, Shape } from '../../../core/index.ts';
import { DatabaseError, UsageError } from '../../../core/index.ts';
import { cockroachdb, dialectFor, postgres } from '../../../dialects/index.ts';
import { fakePostgres } from './fake-postgres.ts';
import type { FakePostgres, FakeReply } from './fake-postgres.ts';

const VERSION = 'CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/17, go1.23.7)';
const SESSION = '184a1e2b3c4d5e6f0000000000000001';
const [RC, RR, SER] = [cockroachdb.levels[0]!, cockroachdb.levels[1]!, cockroachdb.levels[2]!];

let server: FakePostgres | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** As far as a session asks; levels that are not `enabled` run as SERIALIZABLE without a word. */
async function fake(
  version: string,
  {
    enabled = ['READ COMMITTED', 'SERIALIZABLE'],
    more = () => undefined,
  }: { enabled?: readonly string[]; more?: (sql: string) => FakeReply | undefined } = {},
): Promise<FakePostgres> {
  let standard = 'serializable';
  let current: string | undefined;
  const effective = (level: string): string => (enabled.includes(level.toUpperCase()) ? level.toLowerCase() : 'serializable');
  server = await fakePostgres((sql) => {
    const own = more(sql);
    if (own !== undefined) return own;
    standard = /default_transaction_isolation TO '(.*)'/.exec(sql)?.[1] ?? standard;
    const begun = /^BEGIN ISOLATION LEVEL (.*)$/.exec(sql)?.[1];
    if (begun !== undefined) current = begun;
    if (sql === 'COMMIT' || sql === 'ROLLBACK') current = undefined;
    if (sql === 'SELECT version()') return [[version]];
    if (sql === 'SHOW session_id') return [[SESSION]];
    if (sql === 'SELECT pg_backend_pid()') return [['42']];
    if (sql === 'SHOW transaction_isolation') return [[effective(current ?? standard)]];
    if (sql === 'SHOW COMMIT TIMESTAMP') return [['1750000000000000000.0000000000']];
    return sql.split(' ')[0]!;
  });
  return server;
}

async function session(
  url: string,
  use: (connection: Connection) => Promise<void>,
  options: Parameters<typeof cockroachdb.connect>[1] = {},
): Promise<void> {
  const connection = await cockroachdb.connect(url, options);
  try {
    await use(connection);
  } finally {
    await connection.end();
  }
}

describe('which server it is', () => {
  it.each(['cockroachdb://root@h:26257/defaultdb', 'cockroach://h'])('%s finds CockroachDB', (url) => {
    expect(dialectFor(url)).toBe(cockroachdb);
  });

  it('a CockroachDB behind postgres:// is recognised, and the scheme named', async () => {
    const { port, sent } = await fake(VERSION);
    const error: unknown = await postgres.connect(`postgres://root:secret@127.0.0.1:${port}/defaultdb`, {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(/is not PostgreSQL but CockroachDB CCL v25\.2\.1: .*write cockroachdb:\/\/ in its URL/);
    expect((error as Error).message).not.toContain('secret');
    expect(sent).toEqual(['SELECT version()']);
  });

  it.each([
    ['PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc', /is not CockroachDB but PostgreSQL 18\.4 on .*write postgres:\/\//],
    ['Redshift 1.0', /is not CockroachDB but Redshift 1\.0/],
  ])('a server that says %s is no CockroachDB', async (version, message) => {
    const { port } = await fake(version);
    await expect(cockroachdb.connect(`cockroachdb://root@127.0.0.1:${port}/defaultdb`, {})).rejects.toThrow(message);
  });

  it('a YugabyteDB, which calls itself PostgreSQL, is none', async () => {
    const { port } = await fake('PostgreSQL 11.2-YB-2.20.1.3-b0 on x86_64');
    await expect(postgres.connect(`postgres://root@127.0.0.1:${port}/yugabyte`, {})).rejects.toThrow(/is not PostgreSQL but YugabyteDB/);
  });

  it('is asked as root where the URL names nobody', async () => {
    const { port, startup } = await fake(VERSION);
    await session(`cockroach://127.0.0.1:${port}/defaultdb`, async () => {});
    expect(startup.slice(0, 4)).toEqual(['user', 'root', 'database', 'defaultdb']);
  });
});

describe('what PostgreSQL can do', () => {
  it('does not carry over by itself: a trigger of a file is refused', async () => {
    const importer = await cockroachdb.importer!();
    const trigger = 'create function f() returns trigger language plpgsql as $$ begin new.a := 1; return new; end $$';
    const { refused } = importer.schema(
      ['create table t (id int primary key, a int not null)', trigger].map((sql, line) => ({ sql, line })),
    );
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [1, expect.stringMatching(/function or procedure is not supported/)],
    ]);
  });
});

describe('LOCK TABLE', () => {
  it('is refused, since CockroachDB has none', async () => {
    const importer = await cockroachdb.importer!();
    const { schema } = importer.schema([{ sql: 'create table t (id int primary key)', line: 1 }]);
    expect(importer.statement({ sql: 'lock table t in share mode', line: 2 }, schema, new Map())).toEqual({
      line: 2,
      reason: 'LOCK TABLE: CockroachDB does not have it; lock rows with SELECT ... FOR UPDATE',
    });
  });
});

describe('a session', () => {
  it('is known by the name that the cluster gives it, and has integers of four bytes', async () => {
    const { port, sent } = await fake(VERSION);
    await session(
      `cockroachdb://root@127.0.0.1:${port}/defaultdb`,
      async (connection) => {
        expect(connection.backend).toBe(SESSION);
        expect(sent).toContain('SET default_int_size TO 4');
        expect(sent.some((sql) => sql.includes('deadlock_timeout'))).toBe(false);
      },
      { eagerDeadlocks: true },
    );
  });

  it('reads the level back inside the transaction and asks for the commit timestamp only afterwards', async () => {
    const { port, sent } = await fake(VERSION);
    await session(`cockroachdb://root@127.0.0.1:${port}/defaultdb`, async (connection) => {
      expect(await connection.begin(RC)).toEqual({ inForce: 'read committed' });
      expect(await connection.commit()).toEqual({ tag: 'commit', xid: '1750000000000000000.0000000000' });
      expect(sent.slice(-2)).toEqual(['COMMIT', 'SHOW COMMIT TIMESTAMP']);
    });
  });

  it('takes a COMMIT for one though the timestamp cannot be had', async () => {
    const { port } = await fake(VERSION, {
      more: (sql) => (sql === 'SHOW COMMIT TIMESTAMP' ? { code: '42601', message: 'no such statement' } : undefined),
    });
    await session(`cockroachdb://root@127.0.0.1:${port}/defaultdb`, async (connection) => {
      await connection.begin(SER);
      expect(await connection.commit()).toEqual({ tag: 'commit' });
    });
  });

  it.each([
    [RC, ['SERIALIZABLE'], 'sql.txn.read_committed_isolation.enabled'],
    [RR, ['READ COMMITTED', 'SERIALIZABLE'], 'sql.txn.repeatable_read_isolation.enabled'],
  ] as const)('refuses $level where it is off and SERIALIZABLE runs instead, and names the setting', async (level, enabled, setting) => {
    const { port } = await fake(VERSION, { enabled });
    const url = `cockroachdb://root@127.0.0.1:${port}/defaultdb`;
    const error: unknown = await cockroachdb.connect(url, { level }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as Error).message).toContain(`run at 'serializable'`);
    expect((error as Error).message).toContain(`SET CLUSTER SETTING ${setting} = true`);
    await session(url, async (connection) => {
      expect((await connection.begin(level)).inForce).not.toBe(level.inForce);
      await connection.rollback();
    });
  });

  it('is a preview that a run over all levels leaves out', () => {
    expect(cockroachdb.levels.filter(({ offByDefault }) => offByDefault).map(({ level }) => level)).toEqual(['repeatable-read']);
  });
});

describe('errors', () => {
  it.each([
    ['40001', 'serialization, transaction'],
    ['40003', 'ambiguous commit, transaction'],
    ['XXA00', 'ambiguous commit, transaction'],
    ['58C00', 'ambiguous commit, transaction'],
    ['58C01', 'connection, connection'],
    ['55P03', 'lock timeout, transaction'],
    ['57014', 'ambiguous commit, transaction'],
    ['25P02', 'aborted transaction, transaction'],
    ['23505', 'constraint, transaction'],
    ['57P01', 'connection, connection'],
    ['XX000', 'other, transaction'],
  ])('%s is %s', (code, expected) => {
    const { class: errorClass, scope } = cockroachdb.classifyError(Object.assign(new Error('m'), { code, severity: 'ERROR' }));
    expect(`${errorClass}, ${scope}`).toBe(expected);
  });

  it("CockroachDB's own states mean nothing to PostgreSQL", () => {
    expect(postgres.classifyError(Object.assign(new Error('m'), { code: 'XXA00', severity: 'ERROR' })).class).toBe('other');
  });
});

describe('who waits', () => {
  const watched = (rows: (string | null)[][]) =>
    cockroachdb.watchBlocked({ query: async () => ({ columns: [], rows, affected: 0 }) } as unknown as Connection);

  it('is told by the locks of the cluster, with those who hold them', async () => {
    expect(
      await watched([
        ['a1', 'b2'],
        ['a1', 'c3'],
        ['d4', null],
      ]).waits!(['a1', 'd4']),
    ).toEqual(
      new Map([
        ['a1', ['b2', 'c3']],
        ['d4', []],
      ]),
    );
    expect(await watched([['a1', 'b2']]).blocked(['a1', 'b2'])).toEqual(new Set(['a1']));
  });

  it('takes no session id that is none into a statement', async () => {
    await expect(watched([]).blocked(["a' OR 'a"])).rejects.toThrow(/no session id/);
  });
});

function verdict(
  level: Level,
  anomaly: AnomalyClass,
  given: { shapes?: readonly Shape[]; settings?: Readonly<Record<string, string>>; ranLive?: boolean } = {},
): string {
  const step = { rel: 'rw', readPoint: 'snapshot', afterWrite: false };
  const found = { class: anomaly, shapes: given.shapes ?? [], cycle: [step, { ...step, rel: 'wr' }] } as unknown as Anomaly;
  return judge(found, level, given.settings ?? {}, cockroachdb.promises, { ranLive: given.ranLive ?? true }).verdict;
}

describe('what the documents promise', () => {
  it.each([
    ['read-committed', 'G1a', 'bug'],
    ['read-committed', 'G-single-item', 'documented'],
    ['read-committed', 'G2-item', 'documented'],
    ['repeatable-read', 'G-single-item', 'bug'],
    ['repeatable-read', 'G2-item', 'undocumented'],
    ['serializable', 'G-single-item', 'bug'],
    ['serializable', 'G2', 'bug'],
    ['serializable', 'G2-realtime', 'documented'],
    ['serializable', 'G2-session', 'undocumented'],
  ] as const)('at %s a %s is %s', (level, anomaly, expected) => {
    expect(verdict(level, anomaly)).toBe(expected);
  });

  it('rules stale reads out, but for follower reads', () => {
    expect(verdict('serializable', 'G-single-realtime', { shapes: ['stale read'] })).toBe('bug');
    expect(
      verdict('serializable', 'G-single-realtime', { shapes: ['stale read'], settings: { default_transaction_use_follower_reads: 'on' } }),
    ).toBe('documented');
  });

  it('never becomes a verdict of bug while CockroachDB was not run live', () => {
    expect(cockroachdb.ranLive).toBe(false);
    for (const row of cockroachdb.promises)
      for (const anomaly of row.classes)
        expect(
          verdict(row.level, anomaly, { shapes: row.shapes ?? [], settings: row.configuration ?? {}, ranLive: cockroachdb.ranLive }),
        ).not.toBe('bug');
  });
});
