/**
 * The folder of the package: above the sources, above dist/, or where npm installed it. The program's own files (docs/,
 * workloads/, corpus/) are found from there, however deep the module lies that asks.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PackageFile {
  readonly name?: string;
  readonly version?: string;
}

const NAME = 'anomalist';

/** The package's own package.json and its folder; undefined: no folder above this module has it. */
export const PACKAGE: { readonly folder: string; readonly file: PackageFile } | undefined = above(dirname(fileURLToPath(import.meta.url)));

function above(folder: string): typeof PACKAGE {
  const file = packageFileIn(folder);
  if (file?.name === NAME) return { folder, file };
  const parent = dirname(folder);
  return parent === folder ? undefined : above(parent);
}

function packageFileIn(folder: string): PackageFile | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
  } catch {
    return undefined;
  }
}
