/**
 * The commands that we print, as they are typed where we run: reports say `anomalist`, which is on the PATH of few. What npm
 * puts on the PATH of its own children (node_modules/.bin) is not on that of the reader.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, extname, join } from 'node:path';

const NAME = 'anomalist';

export interface Place {
  /** The folders of PATH. */
  readonly path: string;
  /** The program as Node was given it. */
  readonly script: string;
}

/** `npx anomalist replay finding-1.json` for `anomalist replay finding-1.json`. */
export function typed(command: string, place: Place = here()): string {
  return command.startsWith(`${NAME} `) ? `${program(place)}${command.slice(NAME.length)}` : command;
}

function here(): Place {
  return { path: process.env['PATH'] ?? '', script: process.argv[1] ?? '' };
}

function program({ path, script }: Place): string {
  const folders = path.split(delimiter).filter((folder) => folder !== '' && !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  if (folders.some(hasUs)) return NAME;
  // From its sources, as `npm start` runs it: there may be no build that npx could run.
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
