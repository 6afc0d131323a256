/**
 * A fresh data folder takes a server seconds to make and a copy takes a blink: the first one made with a given program
 * stays in the cache, later starts copy it. A template appears under its name only when it is whole (rename).
 */
import { constants, cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, cachePath } from './cache-folder.ts';
import { runProgram } from './run-program.ts';
import { removeFolder } from './work-folder.ts';

/**
 * `folder` must not exist yet; `make` fills it. `key` names the program's version and everything the content depends on; without
 * one, as of a program that may be another one tomorrow, nothing stays.
 */
export async function fromTemplate(key: string | undefined, folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  if (key === undefined) return make(folder);
  const template = cachePath('templates', key);
  if (existsSync(template)) return copyFolder(template, folder);
  await make(folder);
  await save(folder, template);
}

/** Holes stay holes, owners stay (as root), and file systems that can share blocks do. */
export async function copyFolder(from: string, to: string): Promise<void> {
  try {
    await runProgram('cp', ['-a', '--reflink=auto', '--sparse=always', from, to]);
  } catch {
    // Another system's cp has other options. A full disk fails here too, and says so.
    removeFolder(to);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE });
  }
}

/** A cache that cannot be written to costs time, nothing else. */
async function save(folder: string, template: string): Promise<void> {
  const part = `${template}.${process.pid}.part`;
  try {
    mkdirSync(join(cacheFolder('templates')), { recursive: true });
    await copyFolder(folder, part);
    renameSync(part, template);
  } catch {
    removeFolder(part);
  }
}
