/**
 * One process at a time does something in the cache: a file that holds who does it, made with its content in one step
 * (link), taken over when that process is gone.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { InternalError } from '../../../core/index.ts';
import { cacheFolder } from './cache-folder.ts';
import { interruption } from './interruptible.ts';
import type { ProcessIdentity } from './identity.ts';
import { identify, isRunning } from './identity.ts';

const LOOK_AGAIN_MS = 100;

/** `waiting` is called once if somebody else holds it. */
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

/** Between our look and the removal somebody may have taken it: what was moved away is looked at again. */
function removeStale(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    const moved = read(aside);
    if (moved && isRunning(moved)) linkSync(aside, file);
  } catch {
    // Somebody else was first.
  }
  rmSync(aside, { force: true });
}
