/**
 * The launch of a server's program: its account, and its end with our process. PostgreSQL refuses to run as root. So
 * under root it runs as an unprivileged account that has an entry in the password file, because initdb looks itself up.
 * `setpriv` makes the kernel kill the server when our process dies in any way. Without setpriv (macOS, small images) a
 * watcher kills it (watcher.ts).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The program to spawn, its arguments, and the options for spawn. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: { readonly uid?: number; readonly gid?: number };
  /** Whether the kernel kills it when we die. */
  readonly tied: boolean;
}

const UNPRIVILEGED = ['nobody', 'postgres', 'daemon'];

/** The account that PostgreSQL must run as. Undefined: our own. */
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

/** `tie`: the program must end with our process. */
export function launchAs(account: Account | undefined, command: string, args: readonly string[], tie: boolean): Launch {
  if (!hasSetpriv() || !(account ?? tie))
    return { command, args, options: account ? { uid: account.uid, gid: account.gid } : {}, tied: false };
  const identity = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];
  const death = tie ? ['--pdeathsig', 'KILL'] : [];
  return { command: 'setpriv', args: [...identity, ...death, '--', command, ...args], options: {}, tied: tie };
}

/**
 * Whether an account that owns none of the folders may read and execute the file. Every folder above must grant `x` to
 * others. This includes the folders of the path as given and, behind a link, those of the real file.
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

/** Some small systems have a setpriv without these options, so its help text decides. */
function hasSetpriv(): boolean {
  if (process.platform !== 'linux') return false;
  if (setpriv === undefined) {
    const { stdout } = spawnSync('setpriv', ['--help'], { encoding: 'utf8', timeout: 5_000 });
    setpriv = typeof stdout === 'string' && stdout.includes('--pdeathsig') && stdout.includes('--reuid');
  }
  return setpriv;
}
