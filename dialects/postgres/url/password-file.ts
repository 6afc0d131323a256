/**
 * The password file (libpq's manual, 32.16): lines HOST:PORT:DATABASE:USER:PASSWORD, where `*` matches anything and `\`
 * escapes. As in libpq, a file that others may read is ignored. The error for a missing password says so.
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
    const [host, port, database, user, password] = fieldsOf(line);
    const fits = (field: string | undefined, ...values: readonly string[]): boolean =>
      field === '*' || values.some((value) => field === value);
    if (
      password !== undefined &&
      fits(host, ...asked.hosts) &&
      fits(port, String(asked.port)) &&
      fits(database, asked.database) &&
      fits(user, asked.user)
    )
      return { password };
  }
  return {};
}

/** The fifth field is the rest of the line. */
function fieldsOf(line: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ':' && fields.length < 4) {
      fields.push(field);
      field = '';
      continue;
    }
    if (line[at] === '\\' && at + 1 < line.length) at++;
    field += line[at];
  }
  return [...fields, field];
}
