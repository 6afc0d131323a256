/**
 * The password file (libpq's manual, 32.16): lines HOST:PORT:DATABASE:USER:PASSWORD, where `*` matches anything and `\`
 * escapes. As in libpq, a file that others may read is ignored. The error for a missing password says so.
 * docs/decisions/own-password-file.md says why the package `pgpass`, which pg brings, does not read it.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface FoundPassword {
  readonly password?: string;
  /** Why the file was not read. */
  readonly unread?: string;
}

interface Asked {
  /** The names that the file may have for the host. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

export function passwordFile(env: NodeJS.ProcessEnv): string {
  if (env['PGPASSFILE']) return env['PGPASSFILE'];
  return process.platform === 'win32' ? join(env['APPDATA'] ?? homedir(), 'postgresql', 'pgpass.conf') : join(homedir(), '.pgpass');
}

export function passwordOf(file: string, asked: Asked): FoundPassword {
  let text: string;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { unread: `${file} is not read: it is no file` };
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
      return { unread: `${file} is not read: others may read it, chmod 600 ends that` };
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : { unread: `${file} is not read: ${code ?? 'it cannot be opened'}` };
  }
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const [, host, port, database, user, password] = LINE.exec(line) ?? [];
    const fits = (field: string | undefined, ...values: readonly string[]): boolean =>
      field !== undefined && (field === '*' || values.includes(unescaped(field)));
    if (
      password !== undefined &&
      fits(host, ...asked.hosts) &&
      fits(port, String(asked.port)) &&
      fits(database, asked.database) &&
      fits(user, asked.user)
    )
      return { password: unescaped(password) };
  }
  return {};
}

/** The fifth field is the rest of the line. */
const FIELD = String.raw`((?:\\.|[^:\\])*)`;
const LINE = new RegExp(`^${FIELD}:${FIELD}:${FIELD}:${FIELD}:(.*)`);

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1');
}
