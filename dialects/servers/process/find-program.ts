/** Finds a program on PATH or in the folders of system programs, which users often do not have on PATH. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const SYSTEM_FOLDERS =
  process.platform === 'win32'
    ? []
    : ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/usr/local/mysql/bin'];

/** The files themselves, each once, with links resolved. */
export function findPrograms(name: string, more: readonly string[] = []): readonly string[] {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), ...SYSTEM_FOLDERS, ...more];
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return [...new Set(folders.flatMap((folder) => executable(join(folder, file)) ?? []))];
}

function executable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? realpathSync(file) : undefined;
  } catch {
    return undefined;
  }
}
