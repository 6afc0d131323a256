/**
 * An address in the words of the driver. All that it would look up by itself (the environment, the password file) is given
 * to it, since it warns of some of that on stderr.
 */
import type { ClientConfig, CustomTypesConfig } from 'pg';
import type { Address } from './address.ts';
import type { Way } from './encryption.ts';

const CONNECT_TIMEOUT_MS = 10_000;

const RAW_TEXT: CustomTypesConfig = { getTypeParser: () => (text: string | Buffer) => text };

export function driverOptions({ host, port, user, database, password, unread, options, encryption }: Address, way: Way): ClientConfig {
  return {
    host,
    port,
    user,
    database,
    // Asked for only where the server wants one.
    password:
      password ?? (() => Promise.reject(new Error(unread === undefined ? 'no password supplied' : `no password supplied; ${unread}`))),
    ...(options !== undefined && { options }),
    ssl: way === 'encrypted' && encryption.tls,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: RAW_TEXT,
  };
}

/** Of the server that has no encryption, and of the one whose rules let this way of coming in nobody in. */
const NO_ENCRYPTION = /does not support SSL|error establishing an SSL/i;
const NOT_THIS_WAY = '28000';

/** One way after the other, for as long as the reason lies in the way. */
export async function inTurn<T>(ways: readonly Way[], go: (way: Way) => Promise<T>): Promise<T> {
  let before: unknown;
  for (const [i, way] of ways.entries()) {
    try {
      return await go(way);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const none = NO_ENCRYPTION.test(message);
      if (i + 1 < ways.length && (code === NOT_THIS_WAY || (way === 'encrypted' && (none || isOfTls(code))))) before = error;
      else throw none && before !== undefined ? before : error;
    }
  }
  throw before;
}

/** Of a handshake or of a certificate: what Node and OpenSSL name so, and no server does. */
function isOfTls(code: string | undefined): boolean {
  return /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code ?? '');
}
