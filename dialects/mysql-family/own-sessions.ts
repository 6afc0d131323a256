/** Connections as the driver opens them, for the check that each is a session of its own (dialects/own-sessions.ts). */
import type { Connection as Driver } from 'mysql2';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { expectOwnSessions as expectThem } from '../own-sessions.ts';
import type { BareSession } from '../own-sessions.ts';
import { redact } from '../redact.ts';
import { connectError } from './connect-error.ts';
import { openDriver } from './connection.ts';
import type { Member } from './member.ts';
import { parseUrl } from './url.ts';

/**
 * Not CONNECTION_ID() alone, because ProxySQL answers that itself. Nothing with an @, because ProxySQL then stops
 * lending the session.
 */
const ASK = 'SELECT CONNECTION_ID(), VERSION()';

/** A query in flight may never be answered. */
const END_TIMEOUT_MS = 1_000;

export async function expectOwnSessions(url: string, member: Member): Promise<void> {
  const address = parseUrl(url, member);
  try {
    await expectThem(async () => bare(await openDriver(address, url, member)), { url: redact(url), title: member.flavour.title });
  } catch (error) {
    throw error instanceof UsageError || error instanceof DatabaseError ? error : connectError(error, url, member);
  }
}

function bare(client: Driver): BareSession {
  const send = (sql: string): Promise<readonly (readonly (string | number)[])[]> =>
    new Promise((resolve, reject) => {
      client.query({ sql, rowsAsArray: true }, (error, rows) =>
        error ? reject(error) : resolve(rows as unknown as (string | number)[][]),
      );
    });
  return {
    begin: async () => {
      await send('START TRANSACTION');
      return String((await send(ASK))[0]?.[0] ?? '');
    },
    commit: async () => void (await send('COMMIT')),
    close: () =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          client.destroy();
          resolve();
        };
        const timer = setTimeout(done, END_TIMEOUT_MS);
        client.end(done);
      }),
  };
}
