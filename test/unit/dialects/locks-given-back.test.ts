/** A session that asked for a lock by GET_LOCK, with a server that does not let it give the lock back. */
import { expect, it } from 'vitest';
import { mariadb } from '../../../dialects/index.ts';
import { fakeMysql } from './fake-mysql.ts';

it.each(['commit', 'rollback'] as const)(
  'a lock that cannot be given back ends the session, and %s succeeded all the same',
  async (end) => {
    const server = await fakeMysql('10.11.19-MariaDB', (sql) => {
      if (sql.startsWith('SELECT CONNECTION_ID()')) return [['7', '10.11.19-MariaDB']];
      if (/@@tx_isolation|events_transactions_current/.test(sql)) return [['REPEATABLE-READ']];
      if (sql.startsWith('SELECT GET_LOCK(')) return [['1']];
      if (sql.startsWith('DO RELEASE_ALL_LOCKS()')) return { errno: 1317, message: 'Query execution was interrupted' };
      return 'ok';
    });
    const session = await mariadb.connect(`mariadb://root@127.0.0.1:${server.port}/`, {});
    try {
      await session.begin(mariadb.levels.find(({ level }) => level === 'repeatable-read')!);
      await session.query("SELECT GET_LOCK('x', 10)");
      await session[end]();

      expect(server.sent.slice(-2)).toEqual([end.toUpperCase(), 'DO RELEASE_ALL_LOCKS()']);
      const error: unknown = await session.query('SELECT 1').catch((each: unknown) => each);
      expect(mariadb.classifyError(error).scope).toBe('connection');
    } finally {
      await session.end();
      await server.stop();
    }
  },
);
