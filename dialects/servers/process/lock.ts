/**
 * A lock for work in the cache that only one process may do at a time. The lock file names its holder and is created
 * with its content in one step (link). If the holder is gone, another process takes the lock over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { InternalError } from '../../../core/base/index.ts';
import { cacheFolder } from './cache-folder.ts';
import { interruption } from './interruptible.ts';
import type { ProcessIdentity } from './identity.ts';
import { identify, isRunning } from './identity.ts';

const LOOK_AGAIN_MS = 100;

/** `waiting` is called once if another process holds the lock. */
export async function withLock<T>(name: string, work: () => Promise<T>, waiting?: (pid: number) => void): Promise<T> {
  const file = `${cacheFolder('locks')}/${name}`;
  const me = identify(process.pid);
  if (!me) throw new InternalError('a process that cannot see itself');
  let told = false;
  while (!take(file, me)) {
    const holder = read(file);
    if (holder && isRunning(holder)) {
      if (!told) waiting?.(holder.pid);
      told = true;
      await pause(LOOK_AGAIN_MS);
      interruption()?.throwIfAborted();
    } else if (holder) {
      removeStale(file);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

let attempts = 0;

function take(file: string, me: ProcessIdentity): boolean {
  const mine = `${file}.${me.pid}.${(attempts += 1)}`;
  writeFileSync(mine, JSON.stringify(me));
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function read(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

/** Another process may take the lock between our check and the removal. So the file that was moved away is checked again. */
function removeStale(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    const moved = read(aside);
    if (moved && isRunning(moved)) linkSync(aside, file);
  } catch {
    // Another process was first.
  }
  rmSync(aside, { force: true });
}
