// TiDB without a TiDB: its tables, and its sessions with a server that only speaks the protocol.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { judge } from '../../../check/index.ts';
import type { AnomalyClass, Level, Shape } from '../../../core/level/index.ts';
import type { Connection } from '../../../core/dialect/index.ts';
import type { Anomaly } from '../../../core/verdict/index.ts';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import { contentsOf, isQuery, isWrite, locksOf } from '../../../core/sql/index.ts';
import { dialectFor, mysql, tidb } from '../../../dialects/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { generateCase, optionsFor } from '../../../schema-gen/index.ts';
import { fakeMysql } from './fake-mysql.ts';
import type { FakeAnswer, FakeServer } from './fake-mysql.ts';

const VERSION = '8.0.11-TiDB-v8.5.1';
const [RC, RR] = [tidb.levels[0]!, tidb.levels[1]!];

let server: FakeServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A TiDB as far as a session asks; `more` answers first. */
async function fake(version: string, more: (sql: string) => FakeAnswer | undefined = () => undefined): Promise<FakeServer> {
  let level = 'REPEATABLE-READ';
  let mode = 'pessimistic';
  server = await fakeMysql(version, (sql) => {
    const own = more(sql);
    if (own !== undefined) return own;
    level = /^SET SESSION TRANSACTION ISOLATION LEVEL (.*)$/.exec(sql)?.[1]?.replace(' ', '-') ?? level;
    mode = /tidb_txn_mode = (\w+)/.exec(sql)?.[1]?.toLowerCase() ?? mode;
    if (/CONNECTION_ID\(\), VERSION\(\)/.test(sql)) return [['7', version]];
    if (/information_schema\.SCHEMATA/.test(sql)) return [['test']];
    if (/@@transaction_isolation/.test(sql)) return [[mode === 'pessimistic' ? level : 'REPEATABLE-READ', '7', null]];
    if (/@@tidb_current_ts/.test(sql)) return [['449999999999999999']];
    return 'ok';
  });
  return server;
}

async function session(
  url: string,
  use: (connection: Connection) => Promise<void>,
  options: Parameters<typeof tidb.connect>[1] = {},
): Promise<void> {
  const connection = await tidb.connect(url, options);
  try {
    await use(connection);
  } finally {
    await connection.end();
  }
}

describe('which server it is', () => {
  it('tidb:// finds TiDB', () => {
    expect(dialectFor('tidb://root@h:4000/test')).toBe(tidb);
  });

  it('a TiDB behind mysql:// is recognised, and the scheme named', async () => {
    const { port, sent } = await fake(VERSION);
    const error: unknown = await mysql.connect(`mysql://root:secret@127.0.0.1:${port}/test`, {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(/is not MySQL but TiDB .*write tidb:\/\/ in its URL/);
    expect((error as Error).message).not.toContain('secret');
    expect(sent).toEqual(['SELECT CONNECTION_ID(), VERSION()']);
  });

  it.each([
    ['9.7.4', /is not TiDB but MySQL .*write mysql:\/\//],
    ['11.8.6-MariaDB-1', /is not TiDB but MariaDB .*write mariadb:\/\//],
    ['8.0.11-TiDB-v6.5.3', /is TiDB 8\.0\.11-TiDB-v6\.5\.3: expected 7\.5 or later/],
  ])('a server that says %s is no TiDB to test', async (version, message) => {
    const { port } = await fake(version);
    await expect(tidb.connect(`tidb://root@127.0.0.1:${port}/test`, {})).rejects.toThrow(message);
  });
});

describe('a session', () => {
  it('switches the retries of the server off before it does anything else', async () => {
    const { port, sent } = await fake(VERSION);
    await session(`tidb://root@127.0.0.1:${port}/test?tidb_txn_mode=optimistic`, async () => {}, { statementTimeoutMs: 1500 });
    const settings = sent.find((sql) => sql.startsWith('SET SESSION '));
    expect(settings).toContain('tidb_disable_txn_auto_retry = ON, tidb_retry_limit = 0');
    expect(settings).toContain('tidb_txn_mode = OPTIMISTIC');
    expect(settings).toContain('innodb_lock_wait_timeout = 2');
    expect(settings).not.toContain(' lock_wait_timeout');
  });

  it('reads the level back inside the transaction and records the start timestamp', async () => {
    const { port, sent } = await fake(VERSION);
    await session(`tidb://root@127.0.0.1:${port}/test`, async (connection) => {
      expect(await connection.begin(RC)).toEqual({ inForce: 'read committed' });
      expect(await connection.commit()).toEqual({ tag: 'commit', xid: '449999999999999999' });
      expect(sent.slice(-2)).toEqual(['SELECT @@tidb_current_ts', 'COMMIT']);
    });
  });

  it('refuses READ COMMITTED of optimistic transactions, which silently run at REPEATABLE READ, and says what to do', async () => {
    const { port } = await fake(VERSION);
    const url = `tidb://root@127.0.0.1:${port}/test?tidb_txn_mode=OPTIMISTIC`;
    const error: unknown = await tidb.connect(url, { level: RC }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as Error).message).toMatch(/run at 'repeatable read'.*expected 'read committed'.*tidb_txn_mode=pessimistic/);
    await session(
      url,
      async (connection) => {
        expect(await connection.begin(RR)).toEqual({ inForce: 'repeatable read' });
        expect((await connection.begin(RC)).inForce).not.toBe(RC.inForce);
      },
      { level: RR },
    );
  });

  it('sends nothing more of a transaction that a write conflict has rolled back', async () => {
    const { port, sent } = await fake(VERSION, (sql) =>
      sql.startsWith('UPDATE') ? { errno: 9007, message: 'Write conflict, txnStartTS=1' } : undefined,
    );
    await session(`tidb://root@127.0.0.1:${port}/test`, async (connection) => {
      await connection.begin(RR);
      const error: unknown = await connection.query('UPDATE t SET a = 1').catch((e: unknown) => e);
      expect(tidb.classifyError(error)).toMatchObject({ code: '9007', class: 'serialization', scope: 'transaction' });
      await expect(connection.query('INSERT INTO t VALUES (1)')).rejects.toThrow(/rolled this transaction back/);
      expect(sent.some((sql) => sql.startsWith('INSERT'))).toBe(false);
      await connection.rollback();
    });
  });

  it.each(['mysql://h/?tidb_txn_mode=optimistic', 'tidb://h/?tidb_txn_mode=both'])('%s is refused before anything is sent', async (url) => {
    await expect(dialectFor(url).connect(url, {})).rejects.toThrow(UsageError);
  });
});

describe('errors', () => {
  const classified = (errno: number, message = 'm'): string => {
    const { class: errorClass, scope } = tidb.classifyError(Object.assign(new Error(message), { errno, code: 'X' }));
    return `${errorClass}, ${scope}`;
  };

  it.each([
    [1213, 'Deadlock found', 'deadlock, transaction'],
    [9007, 'Write conflict', 'serialization, transaction'],
    [8005, 'Write conflict', 'serialization, transaction'],
    [8002, 'can not retry select for update statement', 'serialization, transaction'],
    [8022, 'Error: KV error safe to retry', 'serialization, transaction'],
    [8028, 'Information schema is changed during the execution', 'serialization, transaction'],
    [1105, 'Information schema is changed', 'serialization, transaction'],
    [1105, 'execution result undetermined', 'ambiguous commit, connection'],
    [1105, 'TiDB do not support intersect all', 'syntax, statement'],
    [1105, 'something else', 'other, statement'],
    [8147, 'LazyUniquenessCheckFailure', 'constraint, transaction'],
    [9005, 'Region is unavailable', 'ambiguous commit, transaction'],
    [9002, 'TiKV server timeout', 'ambiguous commit, transaction'],
    [1205, 'Lock wait timeout exceeded', 'lock timeout, statement'],
    [3572, 'NOWAIT is set', 'lock timeout, statement'],
    [1062, 'Duplicate entry', 'constraint, statement'],
    [8048, 'The isolation level', 'syntax, statement'],
  ])('%i %s is %s', (errno, message, expected) => {
    expect(classified(errno, message)).toBe(expected);
  });

  it("TiDB's numbers mean nothing to MySQL", () => {
    expect(mysql.classifyError(Object.assign(new Error('m'), { errno: 9007 })).class).toBe('other');
  });
});

describe('who waits', () => {
  it('is told by DATA_LOCK_WAITS at once, and by the state alone only when it lasts', async () => {
    let now = 0;
    let rows: (string | null)[][] = [];
    const connection = { query: async () => ({ columns: [], rows, affected: 0 }) } as unknown as Connection;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const watcher = tidb.watchBlocked(connection);
    rows = [['wait', '1', '2', '']];
    expect(await watcher.waits!(['1', '2'])).toEqual(new Map([['1', ['2']]]));
    rows = [['ask', '1', null, '5 12:00']];
    expect(await watcher.blocked(['1', '2'])).toEqual(new Set());
    now = 40;
    expect(await watcher.blocked(['1', '2'])).toEqual(new Set(['1']));
    rows = [['ask', '1', null, '5 12:01']];
    expect(await watcher.blocked(['1', '2'])).toEqual(new Set());
    clock.mockRestore();
  });
});

function verdict(
  level: Level,
  anomaly: AnomalyClass,
  given: { plain?: boolean; shapes?: readonly Shape[]; settings?: Readonly<Record<string, string>>; ranLive?: boolean } = {},
): string {
  const step = { rel: 'rw', readPoint: given.plain ? 'snapshot' : 'current', afterWrite: false };
  const found = { class: anomaly, shapes: given.shapes ?? [], cycle: [step, { ...step, rel: 'wr' }] } as unknown as Anomaly;
  return judge(found, level, given.settings ?? { tidb_txn_mode: 'pessimistic', tidb_guarantee_linearizability: 'ON' }, tidb.promises, {
    ranLive: given.ranLive ?? true,
  }).verdict;
}

const OPTIMISTIC = { tidb_txn_mode: 'optimistic', tidb_guarantee_linearizability: 'ON' };

describe('what the documents promise', () => {
  it.each([
    ['read-committed', 'G1a', 'bug'],
    ['read-committed', 'G-single-item', 'documented'],
    ['repeatable-read', 'G0', 'bug'],
    ['repeatable-read', 'G-single-item', 'documented'],
    ['repeatable-read', 'G2-item', 'documented'],
    ['repeatable-read', 'G2', 'documented'],
  ] as const)('at %s a %s is %s', (level, anomaly, expected) => {
    expect(verdict(level, anomaly)).toBe(expected);
  });

  it('is snapshot isolation in optimistic transactions, and of plain SELECTs alone in pessimistic ones', () => {
    expect(verdict('repeatable-read', 'G-single-item', { plain: true })).toBe('bug');
    expect(verdict('repeatable-read', 'G-single-item', { settings: OPTIMISTIC })).toBe('bug');
    expect(verdict('repeatable-read', 'G2-item', { settings: OPTIMISTIC })).toBe('documented');
  });

  it('rules stale reads out, unless linearizability is not asked for', () => {
    expect(verdict('repeatable-read', 'G-single-realtime', { shapes: ['stale read'] })).toBe('bug');
    expect(
      verdict('repeatable-read', 'G-single-realtime', {
        shapes: ['stale read'],
        settings: { ...OPTIMISTIC, tidb_guarantee_linearizability: 'OFF' },
      }),
    ).toBe('documented');
  });

  it('never becomes a verdict of bug while TiDB was not run live', () => {
    expect(tidb.ranLive).toBe(false);
    for (const row of tidb.promises)
      for (const anomaly of row.classes)
        expect(
          verdict(row.level, anomaly, { plain: true, shapes: row.shapes ?? [], settings: row.configuration ?? {}, ranLive: tidb.ranLive }),
        ).not.toBe('bug');
  });
});

describe('what it lacks', () => {
  it('is not planned: RETURNING, shared locks, SKIP LOCKED, ROLLUP, writes through views', () => {
    const { returning, lockStrengths, lockWait, unsupported, capture } = tidb.capabilities;
    expect(returning).toEqual({ insert: false, update: false, delete: false });
    expect([lockStrengths, lockWait, unsupported]).toEqual([
      ['update'],
      ['nowait'],
      ['lateral', 'set default', 'rollup', 'intersect all', 'update through view'],
    ]);
    expect(capture).toBeDefined();
  });

  it('claims no reads of a write or a locking read beyond its own rows: the server may run them twice', () => {
    let writes = 0;
    let locks = 0;
    for (let i = 0; i < 60; i++) {
      const testCase = generateCase(`twice ${i}`, { mode: 'schedule', ...optionsFor(tidb.capabilities) });
      const probed = instrument(testCase, { mode: 'exact', capabilities: tidb.capabilities, level: 'repeatable-read' });
      for (const { original, probe } of probed.sessions.flatMap(({ transactions }) =>
        transactions.flatMap(({ statements }) => statements),
      )) {
        if (isWrite(original) && probe.captured !== undefined) {
          writes++;
          expect(probe.captured.auxiliaryReads).toBe(false);
          if (contentsOf(original).queries.length > 0) expect(probe.reads).not.toBe('exact');
        } else if (isQuery(original) && locksOf(original) !== undefined) {
          locks++;
          expect(probe.captured).toBeUndefined();
        }
      }
    }
    expect(writes).toBeGreaterThan(50);
    expect(locks).toBeGreaterThan(5);
  });
});
