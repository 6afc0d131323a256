/**
 * PostgreSQL refuses to run as root. When we are root, its server runs as an account without rights that has an entry in
 * the password file (initdb looks itself up). `setpriv` also ties the server's life to ours: pdeathsig kills it when our
 * process dies, however it dies; without setpriv (macOS, small images) only an orderly end of our process stops it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../core/index.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The program to spawn with its arguments, and spawn's own options that go with it. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: { readonly uid?: number; readonly gid?: number };
}

const UNPRIVILEGED = ['nobody', 'postgres', 'daemon'];

/** The account that the server must run as; undefined: our own. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  for (const name of UNPRIVILEGED) {
    const line = lines.find(([user, , uid]) => user === name && Number(uid) > 0);
    if (line) return { name, uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new UsageError(`PostgreSQL refuses to run as root and /etc/passwd has none of ${UNPRIVILEGED.join(', ')}: run as another user, or pass --url postgres://...`);
}

export function launchAs(account: Account | undefined, command: string, args: readonly string[]): Launch {
  if (!hasSetpriv()) return { command, args, options: account ? { uid: account.uid, gid: account.gid } : {} };
  const identity = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];
  return { command: 'setpriv', args: [...identity, '--pdeathsig', 'KILL', '--', command, ...args], options: {} };
}

/** Whether an account that owns nothing on the way may read and execute the file: each folder above grants `x` to others. */
export function reachableByOthers(file: string): boolean {
  if ((statSync(file).mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Small systems have a setpriv that lacks the options, so its help text decides. */
function hasSetpriv(): boolean {
  if (process.platform !== 'linux') return false;
  const { stdout } = spawnSync('setpriv', ['--help'], { encoding: 'utf8', timeout: 5_000 });
  return typeof stdout === 'string' && stdout.includes('--pdeathsig') && stdout.includes('--reuid');
}
