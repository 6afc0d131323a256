/**
 * A server's program that the user names by --binary: the program itself, or the folder of an installation. It is asked
 * for its version before the start, under the account that it will run as. So any error in it is reported here.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';
import type { Account } from './account.ts';
import { launchAs, reachableByOthers } from './account.ts';

/** The requirements on the program. */
export interface ProgramKind {
  /** The DBMS's name, for messages. */
  readonly title: string;
  /** The program's paths in an installation's folder, the preferred one first. */
  readonly places: readonly string[];
  /** The arguments that ask for the version. */
  readonly args: readonly string[];
  /** The version in the answer. Undefined: it is another DBMS. */
  readonly version: (answer: string) => string | undefined;
  /** The word of --target before the `@`. */
  readonly word: string;
  /** The oldest release that the tool supports, for example [10, 5]. */
  readonly oldest: readonly number[];
  readonly account?: Account | undefined;
}

export interface GivenProgram {
  readonly file: string;
  /** The version that it reports, for example `18.4`. */
  readonly version: string;
  /** A hash that differs for another program, and after a rebuild of this one. */
  readonly build: string;
}

const PATIENCE_MS = 60_000;
const QUOTED = 300;

/** Throws UsageError if the program cannot be the server that `target` names. */
export function givenProgram(path: string, target: string, kind: ProgramKind): GivenProgram {
  const file = programIn(resolve(path), kind);
  expectExecutable(file, kind);
  const answer = ask(file, kind);
  const version = kind.version(answer);
  if (version === undefined)
    refuse(file, `it says of itself ${JSON.stringify(answer.slice(0, QUOTED))}; expected ${kind.title}, since the target is ${target}`);
  if (isOlder(version, kind.oldest))
    refuse(file, `it is ${kind.title} ${version}; the oldest release that can be tested is ${kind.oldest.join('.')}`);
  const [, named = ''] = target.split('@');
  if (!isOf(version, named))
    refuse(
      file,
      `it is ${kind.title} ${version} and not the release that the target ${target} names; expected --target ${kind.word}@${series(version, kind)}`,
    );
  const { mtimeMs, size } = statSync(file);
  return { file, version, build: createHash('sha256').update(`${file}\0${mtimeMs}\0${size}`).digest('hex').slice(0, 8) };
}

/** Throws UsageError with what is wrong with the program of --binary. */
export function refuse(path: string, what: string): never {
  throw new UsageError(`--binary ${path}: ${what}.`);
}

function programIn(path: string, kind: ProgramKind): string {
  const expected = `expected a folder with ${kind.places.join(' or ')}, or that program itself`;
  if (!look(path, expected).isDirectory()) {
    const names = [...new Set(kind.places.map((place) => basename(place)))];
    // The data's initialisation and the search for other programs depend on these names.
    if (!names.includes(basename(path).replace(/\.exe$/, '')))
      refuse(path, `the program of ${kind.title} is named ${names.join(' or ')}; ${expected}`);
    return path;
  }
  const ending = process.platform === 'win32' ? '.exe' : '';
  const found = kind.places.map((place) => `${join(path, place)}${ending}`).find((file) => existsSync(file));
  return found ?? refuse(path, `this folder has no program of ${kind.title}; ${expected}`);
}

function look(path: string, expected: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(path, code === 'ENOENT' ? `there is nothing of that name; ${expected}` : `it cannot be looked at (${code}); ${expected}`);
  }
}

/** Checks a program, also one beside the server's own. */
export function expectExecutable(file: string, { title, account }: Pick<ProgramKind, 'title' | 'account'>): void {
  const expected = `expected an executable program of ${title}`;
  if (!look(file, expected).isFile()) refuse(file, `it is no file; ${expected}`);
  try {
    accessSync(file, constants.X_OK);
  } catch {
    refuse(file, `it may not be executed; ${expected} (chmod +x)`);
  }
  if (account !== undefined && !reachableByOthers(file))
    refuse(
      file,
      `${title} does not run as root, and the account ${account.name} may not read and execute it there; put the installation into a folder that everybody may enter, such as /opt, or run as another user`,
    );
}

function ask(file: string, { title, args, account }: ProgramKind): string {
  const launch = launchAs(account, file, args, true);
  const { error, status, signal, stdout, stderr } = spawnSync(launch.command, launch.args, {
    ...launch.options,
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  if (error === undefined && status === 0) return stdout.trim();
  const words = (stderr ?? '').trim().slice(0, QUOTED);
  const outcome = error?.message ?? (status === null ? `ended by ${signal}` : `exit code ${status}`);
  const library = /error while loading shared libraries|Library not loaded/.test(words);
  const advice = library
    ? 'a library that it needs is missing: install that, or name its folder in LD_LIBRARY_PATH'
    : `expected a program of ${title} for this machine`;
  return refuse(file, `\`${[basename(file), ...args].join(' ')}\` failed (${outcome})${words === '' ? '' : `: ${words}`}; ${advice}`);
}

function isOlder(version: string, oldest: readonly number[]): boolean {
  const numbers = version.split('.').map((part) => Number.parseInt(part, 10));
  const at = oldest.findIndex((number, i) => number !== (numbers[i] ?? 0));
  return at >= 0 && (numbers[at] ?? 0) < oldest[at]!;
}

/** 18.4 is a release of 18 and of 18.4. */
function isOf(version: string, named: string): boolean {
  return named !== '' && version.startsWith(named) && !/^\d/.test(version.slice(named.length));
}

/** The release as our targets name it, with as many numbers as distinguish releases. */
function series(version: string, { oldest }: ProgramKind): string {
  return version.split('.').slice(0, Math.min(2, oldest.length)).join('.');
}
