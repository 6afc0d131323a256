/**
 * Templates of data folders. A server needs seconds to make a fresh one, and a copy takes much less. The first one that
 * a program makes stays in the cache, and later starts copy it. A template gets its name only when it is complete
 * (rename).
 */
import { constants, cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, cachePath } from './cache-folder.ts';
import { runProgram } from './run-program.ts';
import { removeFolder } from './work-folder.ts';

/**
 * `folder` must not exist yet, and `make` fills it. `key` names the program's version and everything else that
 * determines the content. Without a key nothing is kept, because the program may change between starts.
 */
export async function fromTemplate(key: string | undefined, folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  if (key === undefined) return make(folder);
  const template = cachePath('templates', key);
  if (existsSync(template)) return copyFolder(template, folder);
  await make(folder);
  await save(folder, template);
}

/** The copy keeps holes and, as root, owners. File systems that can share blocks do so. */
export async function copyFolder(from: string, to: string): Promise<void> {
  try {
    await runProgram('cp', ['-a', '--reflink=auto', '--sparse=always', from, to]);
  } catch {
    // Other systems' cp has other options. A full disk fails here too, with an error of its own.
    removeFolder(to);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE });
  }
}

/** If the cache cannot be written, later starts only take longer. */
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
