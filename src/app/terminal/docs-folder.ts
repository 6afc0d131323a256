/** Where the pages of docs/ lie that messages name: beside the sources, or in the package as it is installed. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PACKAGE } from '../../process/package-folder.ts';

/** From the working directory; undefined: it is not there. */
export function docsFolder(): string | undefined {
  const folder = PACKAGE && join(PACKAGE.folder, 'docs');
  return folder === undefined || !existsSync(folder) ? undefined : relative(process.cwd(), folder) || '.';
}
