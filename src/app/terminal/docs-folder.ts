/** Where the pages of docs/ lie that messages name: beside the sources, or in the package as it is installed. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** From the working directory; undefined: it is not there. */
export function docsFolder(): string | undefined {
  const found = ['../../docs', '../../../docs']
    .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
    .find((path) => existsSync(path));
  return found === undefined ? undefined : relative(process.cwd(), found) || '.';
}
