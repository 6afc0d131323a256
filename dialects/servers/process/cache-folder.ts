/**
 * The user's cache folder, where all that is fetched or kept lives: XDG_CACHE_HOME or ~/.cache, in it `anomalist`. It may
 * be deleted at any time when no server is kept (`anomalist servers stop --all` first).
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../../../core/index.ts';

/** The path; nothing is made. */
export function cachePath(...names: readonly string[]): string {
  const given = process.env['XDG_CACHE_HOME'] ?? '';
  // The XDG base directory specification: a relative path is to be ignored.
  return join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'anomalist', ...names);
}

/** The folder, made where it is missing. */
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
