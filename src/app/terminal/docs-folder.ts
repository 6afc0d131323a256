/** Finds the pages of docs/ that messages name: beside the sources, or in the installed package. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PACKAGE } from '../../process/package-folder.ts';

/** The path from the working directory; undefined if it does not exist. */
export function docsFolder(): string | undefined {
  const folder = PACKAGE && join(PACKAGE.folder, 'docs');
  return folder === undefined || !existsSync(folder) ? undefined : relative(process.cwd(), folder) || '.';
}
