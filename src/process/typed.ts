/**
 * Prints commands as they are typed here. Reports name `anomalist`, which is rarely on the PATH. The folders that npm
 * puts on the PATH of its own children (node_modules/.bin) are not on the reader's.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, extname, join } from 'node:path';

const NAME = 'anomalist';

export interface Place {
  /** The folders of PATH. */
  readonly path: string;
  /** The program's path, as Node got it. */
  readonly script: string;
}

/** Returns `npx anomalist replay finding-1.json` for `anomalist replay finding-1.json`. */
export function typed(command: string, place: Place = here()): string {
  return command.startsWith(`${NAME} `) ? `${program(place)}${command.slice(NAME.length)}` : command;
}

function here(): Place {
  return { path: process.env['PATH'] ?? '', script: process.argv[1] ?? '' };
}

function program({ path, script }: Place): string {
  const folders = path.split(delimiter).filter((folder) => folder !== '' && !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  if (folders.some(hasUs)) return NAME;
  // The program runs from its sources, as with `npm start`, so there may be no build that npx could run.
  return extname(script) === '.ts' ? `npm run -s ${NAME} --` : `npx ${NAME}`;
}

function hasUs(folder: string): boolean {
  try {
    accessSync(join(folder, NAME), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
