/**
 * The meaning of an sslmode (libpq's manual, 32.19): whether to encrypt, what to do if that fails, and whose
 * certificate is required. The modes that only try accept any answer of the server and do not authenticate it.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { UsageError } from '../../../core/base/index.ts';
import type { Words } from './read-url.ts';

export type Way = 'plain' | 'encrypted';

export interface Encryption {
  /** The ways to connect, in the order in which they are tried. */
  readonly ways: readonly Way[];
  /** The options of the encrypted way. */
  readonly tls: ConnectionOptions;
}

const MODES = {
  disable: ['plain'],
  allow: ['plain', 'encrypted'],
  prefer: ['encrypted', 'plain'],
  require: ['encrypted'],
  'verify-ca': ['encrypted'],
  'verify-full': ['encrypted'],
} as const satisfies Readonly<Record<string, readonly Way[]>>;

type Mode = keyof typeof MODES;

const LOOPBACK = /^(localhost|127\.[\d.]+|::1)$/i;

/** `where`: the URL in messages. */
export function encryptionOf(words: Words, host: string, where: string): Encryption {
  const mode = modeOf(words, host, where);
  // As in libpq, a socket of the file system needs no encryption.
  if (host.startsWith('/') || mode === 'disable') return { ways: ['plain'], tls: {} };
  const root = words.sslrootcert ?? ifThere('root.crt');
  if (root === 'system' && mode !== 'verify-full')
    throw new UsageError(
      `${where}: sslrootcert=system goes with sslmode=verify-full alone, got ${mode}: anybody can have a certificate of a public authority`,
    );
  if (root === undefined && mode.startsWith('verify-')) {
    throw new UsageError(
      `${where}: sslmode=${mode} needs the certificate of the authority to trust: sslrootcert=FILE, ${join(ownFolder(), 'root.crt')}, or sslrootcert=system (with verify-full) for those that this program knows`,
    );
  }
  const cert = words.sslcert ?? ifThere('postgresql.crt');
  const key = words.sslkey ?? ifThere('postgresql.key');
  return {
    ways: MODES[mode],
    tls: {
      // If there is a root certificate, every mode checks the server's certificate. Otherwise only the modes that
      // require one do.
      rejectUnauthorized: root !== undefined,
      ...(root !== undefined && root !== 'system' && { ca: read(root, 'sslrootcert', where) }),
      ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
      ...(cert !== undefined && { cert: read(cert, 'sslcert', where) }),
      ...(cert !== undefined && key !== undefined && { key: ownKey(key, where) }),
      ...(words.sslpassword !== undefined && { passphrase: words.sslpassword }),
    },
  };
}

/** Connections to this machine are not encrypted by default, because nobody can listen and encryption takes time. */
function modeOf({ sslmode, sslrootcert }: Words, host: string, where: string): Mode {
  if (sslmode === undefined) return sslrootcert === 'system' ? 'verify-full' : LOOPBACK.test(host) ? 'allow' : 'prefer';
  if (Object.hasOwn(MODES, sslmode)) return sslmode as Mode;
  throw new UsageError(`${where}: there is no sslmode ${JSON.stringify(sslmode)}; expected one of ${Object.keys(MODES).join(', ')}`);
}

function ownFolder(): string {
  return process.platform === 'win32' ? join(process.env['APPDATA'] ?? homedir(), 'postgresql') : join(homedir(), '.postgresql');
}

function ifThere(name: string): string | undefined {
  const file = join(ownFolder(), name);
  return existsSync(file) ? file : undefined;
}

function read(file: string, word: string, where: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `${where}: ${word} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}); expected a file in PEM form`,
      { cause: error },
    );
  }
}

/** Other accounts may not read the key. Its group may if root owns it. */
function ownKey(file: string, where: string): Buffer {
  const key = read(file, 'sslkey', where);
  const { mode, uid } = statSync(file);
  if (process.platform !== 'win32' && (mode & (uid === 0 ? 0o037 : 0o077)) !== 0)
    throw new UsageError(`${where}: sslkey names ${file}, which others may read: chmod 600 ends that`);
  return key;
}
