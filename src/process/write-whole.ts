/** Writes a file so that it is whole if it exists. The text goes under another name first, and gets its own when all of it is on disk. */
import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { UsageError } from '../../core/index.ts';

/** Throws the file system's error, and leaves the old file as it was. */
export function writeWhole(path: string, text: string): void {
  const known = existsSync(path);
  // A pipe or a device has no other name.
  if (known && !statSync(path).isFile() && !statSync(path).isDirectory()) return writeFileSync(path, text);
  const target = known ? realpathSync(path) : path;
  const part = `${target}.${process.pid}.part`;
  const fd = openSync(part, 'wx');
  try {
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** Writes a file that the user asked for, with a message on failure. */
export function writeAsked(path: string, text: string, what: string): void {
  try {
    writeWhole(path, text);
  } catch (error) {
    throw new UsageError(`${path}: ${what} cannot be written (${(error as Error).message}); free space there or choose another --out.`, {
      cause: error,
    });
  }
}
