/**
 * A data folder for the embedded PostgreSQL: made by initdb, owned by the account that the server runs as, removed
 * afterwards. Temporary ones are named for our host and process, so that a later run can remove what a killed one left.
 */
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseError } from '../../core/index.ts';
import type { Account } from './account.ts';
import { launchAs, reachableByOthers } from './account.ts';

export interface DataFolder {
  readonly folder: string;
  /** Does nothing to a folder that the caller named. */
  readonly remove: () => void;
}

export async function makeDataFolder(options: { native: string; account: Account | undefined; dir?: string }): Promise<DataFolder> {
  const { native, account, dir } = options;
  const temporary = dir === undefined;
  const folder = dir ?? makeTemporary(account);
  const remove = (): void => {
    if (temporary) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  if (dir !== undefined && !existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
  if (existsSync(join(folder, 'PG_VERSION'))) return { folder, remove };
  try {
    if (account) chownSync(folder, account.uid, account.gid);
    await initdb(native, folder, account);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeTemporary(account: Account | undefined): string {
  const base = temporaryBase(account);
  const prefix = `anomalist-pg-${hostname().replace(/[^A-Za-z0-9]/g, '_')}-`;
  removeLeftovers(base, prefix);
  return mkdtempSync(join(base, `${prefix}${process.pid}-`));
}

/** The account must be able to walk there; root's own TMPDIR may be closed to it. */
function temporaryBase(account: Account | undefined): string {
  const own = tmpdir();
  return account === undefined || reachableByOthers(join(own, '.')) ? own : '/tmp';
}

function removeLeftovers(base: string, prefix: string): void {
  for (const name of readdirSync(base)) {
    const pid = Number(/^\d+(?=-)/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '')?.[0] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      // Another user's: theirs to remove.
    }
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

function initdb(native: string, folder: string, account: Account | undefined): Promise<void> {
  const args = ['-D', folder, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C', '--no-instructions'];
  const launch = launchAs(account, join(native, 'bin', 'initdb'), args);
  const child = spawn(launch.command, launch.args, {
    ...launch.options,
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk) => (words = (words + String(chunk)).slice(-4_000)));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(failed(folder, error.message)));
    child.once('close', (code) => (code === 0 ? resolve() : reject(failed(folder, `exit code ${code}: ${words.trim()}`))));
  });
}

function failed(folder: string, why: string): DatabaseError {
  const owner = existsSync(folder) ? `owner ${statSync(folder).uid}` : 'missing';
  return new DatabaseError(`initdb of the embedded PostgreSQL failed in ${folder} (${owner}): ${why}\nTo use a server of your own pass --url postgres://...`);
}
