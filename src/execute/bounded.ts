/** These functions wait for a server, with a limit. */
import { DatabaseError } from '../../core/index.ts';
import type { Connection } from '../../core/index.ts';

class NoReply extends DatabaseError {}

/** Resolves with the promise's value, or rejects once the time is over. */
export async function bounded<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoReply(`no reply from the server within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a connection to be opened. A connection that is opened too late is ended. */
export async function opened(opening: Promise<Connection>, ms: number): Promise<Connection> {
  try {
    return await bounded(opening, ms);
  } catch (error) {
    if (error instanceof NoReply) opening.then((late) => late.end()).catch(() => undefined);
    throw error;
  }
}

/**
 * Wraps a connection: each query gets a reply or an error within the time. A query without a reply ends the connection,
 * and every later query fails at once with the same error. So nobody waits twice for a silent server.
 */
export function answering(connection: Connection, ms: number): Connection {
  let silence: NoReply | undefined;
  const limited = async <T>(send: () => Promise<T>): Promise<T> => {
    if (silence) throw silence;
    try {
      return await bounded(send(), ms);
    } catch (error) {
      if (error instanceof NoReply) {
        silence = error;
        connection.destroy();
      }
      throw error;
    }
  };
  return {
    backend: connection.backend,
    query: (sql) => limited(() => connection.query(sql)),
    ...(connection.queryAll && { queryAll: (sql: readonly string[]) => limited(() => connection.queryAll!(sql)) }),
    begin: (...given) => limited(() => connection.begin(...given)),
    beginSql: (...given) => connection.beginSql(...given),
    commit: () => limited(() => connection.commit()),
    rollback: () => limited(() => connection.rollback()),
    end: () => connection.end(),
    destroy: () => connection.destroy(),
  };
}

/** Tells whether the server replies at all, if only with an error. */
export async function answers(connection: Connection, ms: number): Promise<boolean> {
  try {
    await bounded(connection.query('SELECT 1'), ms);
    return true;
  } catch (error) {
    return !(error instanceof NoReply);
  }
}
