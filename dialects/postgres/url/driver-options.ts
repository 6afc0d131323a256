/**
 * An address as the driver's options. Values that the driver would look up itself (the environment, the password file)
 * are set, since some of these lookups write warnings to stderr.
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
    // The driver asks for the password only if the server wants one.
    password:
      password ?? (() => Promise.reject(new Error(unread === undefined ? 'no password supplied' : `no password supplied; ${unread}`))),
    ...(options !== undefined && { options }),
    ssl: way === 'encrypted' && encryption.tls,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: RAW_TEXT,
  };
}

/** Messages of a server without encryption. */
const NO_ENCRYPTION = /does not support SSL|error establishing an SSL/i;
const NOT_THIS_WAY = '28000';

/** Tries one way after the other, as long as the failure depends on the way. */
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

/** Whether the error comes from a TLS handshake or a certificate. Node and OpenSSL use such names, and no server does. */
function isOfTls(code: string | undefined): boolean {
  return /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code ?? '');
}
