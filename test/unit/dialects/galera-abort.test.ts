/** A session with a server that answers as a Galera node does whose transaction another node's has ended. */
import { expect, it } from 'vitest';
import { mariadb } from '../../../dialects/index.ts';
import { fakeMysql } from './fake-mysql.ts';

it('an abort that hides behind the error of a statement is heard, and COMMIT is no commit', async () => {
  const server = await fakeMysql('10.11.19-MariaDB', (sql) => {
    if (sql.startsWith('SELECT CONNECTION_ID()')) return [['7', '10.11.19-MariaDB']];
    if (/@@tx_isolation|events_transactions_current/.test(sql)) return [['REPEATABLE-READ']];
    if (sql.startsWith('DELETE')) return { errno: 1451, message: 'Cannot delete or update a parent row: a foreign key constraint fails' };
    // The error that the statement's own has hidden comes with whatever is sent next.
    if (sql === 'DO 0') return { errno: 1213, message: 'Deadlock found when trying to get lock; try restarting transaction' };
    return 'ok';
  });
  const session = await mariadb.connect(`mariadb://root@127.0.0.1:${server.port}/`, {});
  try {
    await session.begin(mariadb.levels.find(({ level }) => level === 'repeatable-read')!);
    const error: unknown = await session.query('DELETE FROM t').catch((each: unknown) => each);

    expect(mariadb.classifyError(error)).toMatchObject({ class: 'constraint', scope: 'transaction' });
    await expect(session.query('UPDATE t SET v = 1')).rejects.toThrow(/rolled this transaction back/);
    expect(server.sent.filter((sql) => sql.startsWith('UPDATE'))).toEqual([]);
    expect(await session.commit()).toMatchObject({ tag: 'rollback' });
  } finally {
    await session.end();
    await server.stop();
  }
});
