/** Sessions that take a lock by GET_LOCK, with a server whose answers a test gives. */
import { expect, it } from 'vitest';
import type { Connection } from '../../../core/dialect/index.ts';
import { mariadb } from '../../../dialects/index.ts';
import { fakeMysql } from './fake-mysql.ts';
import type { FakeAnswer, FakeServer } from './fake-mysql.ts';

const LOCK = mariadb.print({ kind: 'advisoryLock', key: { kind: 'literal', type: 'text', value: 'x' } }, 'ours');

async function within(answers: Readonly<Record<string, FakeAnswer>>, work: (session: Connection, server: FakeServer) => Promise<void>) {
  const server = await fakeMysql('10.11.19-MariaDB', (sql) => {
    if (sql.startsWith('SELECT CONNECTION_ID()')) return [['7', '10.11.19-MariaDB']];
    if (/@@tx_isolation|events_transactions_current/.test(sql)) return [['REPEATABLE-READ']];
    return Object.entries(answers).find(([start]) => sql.startsWith(start))?.[1] ?? 'ok';
  });
  const session = await mariadb.connect(`mariadb://root@127.0.0.1:${server.port}/`, {});
  try {
    await session.begin(mariadb.levels.find(({ level }) => level === 'repeatable-read')!);
    await work(session, server);
  } finally {
    await session.end();
    await server.stop();
  }
}

it.each(['commit', 'rollback'] as const)(
  'a lock that cannot be given back ends the session, and %s succeeded all the same',
  async (end) => {
    const interrupted = { errno: 1317, message: 'Query execution was interrupted' };
    await within({ 'SELECT GET_LOCK(': [['1']], 'DO RELEASE_ALL_LOCKS()': interrupted }, async (session, { sent }) => {
      await session.query(LOCK);
      await session[end]();

      expect(sent.slice(-2)).toEqual([end.toUpperCase(), 'DO RELEASE_ALL_LOCKS()']);
      const error: unknown = await session.query('SELECT 1').catch((each: unknown) => each);
      expect(mariadb.classifyError(error).scope).toBe('connection');
    });
  },
);

it('a lock that was not got is an error', async () => {
  await within({ 'SELECT GET_LOCK(': [['0']] }, async (session) => {
    const error: unknown = await session.query(LOCK).catch((each: unknown) => each);
    expect(mariadb.classifyError(error).class).toBe('lock timeout');
  });
});

it.each(["SELECT GET_LOCK('x', 0)", "SELECT '; SELECT GET_LOCK('", "SELECT GET_LOCK('x', 10)"])(
  'what a user typed is answered as the server does, and given back by the user: %s',
  async (typed) => {
    await within({ SELECT: [['0']] }, async (session, { sent }) => {
      expect((await session.query(typed)).rows).toEqual([['0']]);
      await session.commit();
      expect(sent.at(-1)).toBe('COMMIT');
    });
  },
);
