/**
 * The folder of a started server, with its data and its log. A temporary one is named for our host and process, so that
 * a later run can remove the folder of a killed one. The folder of a kept server is in the cache.
 */
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';
import type { Account } from './account.ts';
import { reachableByOthers } from './account.ts';
import { cacheFolder } from './cache-folder.ts';

/** Linux's files in memory, open to every account. They are not used if TMPDIR names a folder. */
const MEMORY = '/dev/shm';
/** The free space in bytes that is required there. A container's default is less. */
const ROOM = 2e9;

/** `kind` is a short word for the path, for example `pg`. `inMemory`: in memory if there is room. */
export function temporaryFolder(kind: string, account?: Account, inMemory: boolean = false): string {
  const base = inMemory && hasRoom(MEMORY) ? MEMORY : temporaryBase(account);
  return make(base, () => {
    for (const each of new Set([base, MEMORY])) removeLeftovers(each);
    return ownedBy(account, mkdtempSync(join(base, `anomalist-${kind}-${host()}-${process.pid}-`)));
  });
}

/** Makes an empty folder for a server that outlives us. */
export function keptFolder(target: string, account?: Account): string {
  const cache = cacheFolder('servers');
  // The server's account must be able to reach the folder, but root's own folders are closed to it.
  if (account && !reachableByOthers(cache))
    return make(temporaryBase(account), (base) => ownedBy(account, mkdtempSync(join(base, `anomalist-kept-${target}-`))));
  const folder = join(cache, target);
  return make(cache, () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    return ownedBy(account, folder);
  });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Adds a hint to a failure message if the disk may be full. */
export function spaceHint(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(dirname(folder));
    const free = Math.floor((bavail * bsize) / 1e6);
    return free < 300
      ? `\nOnly ${free} MB are free in ${dirname(folder)}: free some, or set TMPDIR (and XDG_CACHE_HOME) to another disk.`
      : '';
  } catch {
    return '';
  }
}

function make(base: string, work: (base: string) => string): string {
  try {
    return work(base);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(
      `cannot make a folder for a server in ${base} (${code}): set TMPDIR to a folder that exists, has room and may be written to${spaceHint(join(base, 'x'))}`,
    );
  }
}

function ownedBy(account: Account | undefined, folder: string): string {
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

function temporaryBase(account: Account | undefined): string {
  const own = tmpdir();
  return account === undefined || isOpen(own) ? own : '/tmp';
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return process.platform === 'linux' && process.env['TMPDIR'] === undefined && bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

function isOpen(folder: string): boolean {
  try {
    return reachableByOthers(join(folder, '.'));
  } catch {
    return true;
  }
}

function host(): string {
  return hostname().replace(/[^A-Za-z0-9]/g, '_');
}

/** Removes the folders of servers of every kind whose process is gone. */
function removeLeftovers(base: string): void {
  const ours = new RegExp(`^anomalist-[a-z]+-${host()}-(\\d+)-`);
  for (const name of namesIn(base)) {
    const pid = Number(ours.exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      // Another user's folder is theirs to remove. If a dying server still writes into ours, the next start removes it.
    }
  }
}

/** A folder that is missing or unreadable has no folders of ours. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
