/**
 * How a server's program is launched: as which account, and tied to our life. PostgreSQL refuses to run as root, so under
 * root it runs as an account without rights that has an entry in the password file (initdb looks itself up). `setpriv`
 * makes the kernel kill the server when our process dies, however it dies; where there is no setpriv (macOS, small
 * images) a watcher does (watcher.ts).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../core/index.ts';

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
  /** The kernel kills it when we die. */
  readonly tied: boolean;
}

const UNPRIVILEGED = ['nobody', 'postgres', 'daemon'];

/** The account that PostgreSQL must run as; undefined: our own. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of UNPRIVILEGED) {
    const line = lines.find(([user, , uid]) => user === name && Number(uid) > 0);
    if (line) return { name, uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new UsageError(
    `PostgreSQL refuses to run as root and /etc/passwd has none of ${UNPRIVILEGED.join(', ')}: run as another user, or pass --url postgres://...`,
  );
}

/** `tie`: it shall not outlive our process. */
export function launchAs(account: Account | undefined, command: string, args: readonly string[], tie: boolean): Launch {
  if (!hasSetpriv() || !(account ?? tie))
    return { command, args, options: account ? { uid: account.uid, gid: account.gid } : {}, tied: false };
  const identity = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];
  const death = tie ? ['--pdeathsig', 'KILL'] : [];
  return { command: 'setpriv', args: [...identity, ...death, '--', command, ...args], options: {}, tied: tie };
}

/**
 * Whether an account that owns nothing on the way may read and execute the file: each folder above grants `x` to others,
 * those of the path as it is given and, where a link leads elsewhere, those that the file really lies in.
 */
export function reachableByOthers(file: string): boolean {
  if ((statSync(file).mode & 0o005) !== 0o005) return false;
  return [file, realpathSync(file)].every((path) => foldersAbove(path).every((folder) => (statSync(folder).mode & 0o001) !== 0));
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

let setpriv: boolean | undefined;

/** Small systems have a setpriv that lacks the options, so its help text decides. */
function hasSetpriv(): boolean {
  if (process.platform !== 'linux') return false;
  if (setpriv === undefined) {
    const { stdout } = spawnSync('setpriv', ['--help'], { encoding: 'utf8', timeout: 5_000 });
    setpriv = typeof stdout === 'string' && stdout.includes('--pdeathsig') && stdout.includes('--reuid');
  }
  return setpriv;
}
