/**
 * The address of a URL, as libpq finds it. The order is: the URL, the service that it or PGSERVICE names, the
 * environment, the defaults. A password may also come from the password file. docs/URLS.md describes this for users.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { UsageError } from '../../../core/base/index.ts';
import { redact } from '../../redact.ts';
import type { Encryption } from './encryption.ts';
import { encryptionOf } from './encryption.ts';
import { passwordFile, passwordOf } from './password-file.ts';
import type { Word, Words } from './read-url.ts';
import { readUrl } from './read-url.ts';
import { readService } from './service-file.ts';

export interface Address {
  /** A name, an IP address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
  /** Why the password file was not read. */
  readonly unread?: string;
  /** Settings that the server starts the session with. */
  readonly options?: string;
  readonly encryption: Encryption;
}

/** The defaults. */
export interface Usual {
  readonly scheme: string;
  readonly port: number;
  /** Absent: the user's name on this machine. */
  readonly user?: string;
}

const VARIABLES: Readonly<Partial<Record<Word, string>>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  options: 'PGOPTIONS',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/** The folders of PostgreSQL's sockets. */
const SOCKET_FOLDERS = ['/var/run/postgresql', '/tmp'];

export function readAddress(url: string, usual: Usual, env: NodeJS.ProcessEnv = process.env): Address {
  const own = readUrl(url, usual.scheme);
  const service = own.service ?? (env['PGSERVICE'] || undefined);
  const words: Words = { ...environment(env), ...(service === undefined ? {} : readService(service, env)), ...own };
  const port = portOf(words.port, usual.port, url);
  const host = words.host ?? usualHost(port);
  const user = words.user ?? usual.user ?? userInfo().username;
  const database = words.dbname ?? user;
  const hosts = SOCKET_FOLDERS.includes(host) ? [host, 'localhost'] : [host];
  const found =
    words.password === undefined
      ? passwordOf(words.passfile ?? passwordFile(env), { hosts, port, database, user })
      : { password: words.password };
  return {
    host,
    port,
    user,
    database,
    ...found,
    ...(words.options !== undefined && { options: words.options }),
    encryption: encryptionOf(words, host, redact(url)),
  };
}

function environment(env: NodeJS.ProcessEnv): Words {
  return Object.fromEntries(Object.entries(VARIABLES).flatMap(([word, variable]) => (env[variable] ? [[word, env[variable]]] : [])));
}

function portOf(text: string | undefined, usual: number, url: string): number {
  const port = Number(text ?? usual);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`${redact(url)}: the port is no whole number from 1 to 65535 (in the URL, its service or PGPORT)`);
}

/** The socket of a server of this machine, as in libpq, or else localhost. */
function usualHost(port: number): string {
  return SOCKET_FOLDERS.find((folder) => existsSync(`${folder}/.s.PGSQL.${port}`)) ?? 'localhost';
}
