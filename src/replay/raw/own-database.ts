/** Works in a database that is made for it and dropped behind it, on a server that was started for it. */
import { randomBytes } from 'node:crypto';
import type { Connection, Dialect } from '../../../core/dialect/index.ts';
import { serverFailure } from '../../process/server-failure.ts';

export async function inOwnDatabase<T>(dialect: Dialect, url: string, work: (url: string) => Promise<T>): Promise<T> {
  const { ownDatabase } = dialect;
  if (ownDatabase === undefined) return work(url);
  const name = `anomalist_raw_${randomBytes(4).toString('hex')}`;
  await once(dialect, url, (connection) => connection.query(ownDatabase.create(name)));
  try {
    return await work(ownDatabase.url(url, name));
  } finally {
    // The server takes a database that cannot be dropped with it. The first error of the work is the one to report.
    await once(dialect, url, (connection) => connection.query(ownDatabase.drop(name))).catch(() => undefined);
  }
}

async function once(dialect: Dialect, url: string, work: (connection: Connection) => Promise<unknown>): Promise<void> {
  try {
    const connection = await dialect.connect(url, {});
    try {
      await work(connection);
    } finally {
      await connection.end();
    }
  } catch (error) {
    throw serverFailure(dialect, error) ?? error;
  }
}
