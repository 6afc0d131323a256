/**
 * The user's cache folder for downloads and kept servers: `anomalist` in XDG_CACHE_HOME or ~/.cache. A user may delete
 * it while no server is kept (`anomalist servers stop --all` first).
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';

/** Returns the path and creates nothing. */
export function cachePath(...names: readonly string[]): string {
  const given = process.env['XDG_CACHE_HOME'] ?? '';
  // The XDG base directory specification says to ignore a relative path.
  return join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'anomalist', ...names);
}

/** Returns the folder, and creates it if it is missing. Throws UsageError if it cannot be created. */
export function cacheFolder(...names: readonly string[]): string {
  const folder = cachePath(...names);
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw new UsageError(
      `the cache folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}): set XDG_CACHE_HOME to a folder that you may write to`,
    );
  }
}
