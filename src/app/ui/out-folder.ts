/**
 * Opens OUT, the folder of runs. It is the only way from a name in a request to a file. A run is a folder directly
 * below OUT. A file is directly in it, of a kind that runs write. Neither may be a link that leads elsewhere.
 */
import { lstatSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';

/** Lists the files of runs that the page opens, with their content types. */
const FILES: readonly (readonly [name: RegExp, type: string])[] = [
  [/^(report|explore|outcomes)\.html$/, 'text/html; charset=utf-8'],
  [/^(findings|manifest|explore|outcomes|finding-\d+)\.json$/, 'application/json; charset=utf-8'],
  [/^progress\.ndjson$/, 'text/plain; charset=utf-8'],
  [/^report\.md$/, 'text/plain; charset=utf-8'],
];

export interface RunFile {
  readonly path: string;
  readonly type: string;
}

export class OutFolder {
  /** Holds the folder as the user named it. */
  readonly name: string;

  /** `named` is true if the user named the folder. It must then exist. */
  constructor(name: string, named: boolean) {
    this.name = name;
    const found = statSync(name, { throwIfNoEntry: false });
    if (found === undefined && named)
      throw new UsageError(`${name}: there is no such folder; expected one that runs were written to (--out of anomalist run).`);
    if (found !== undefined && !found.isDirectory())
      throw new UsageError(`${name}: this is no folder; expected one that runs were written to (--out of anomalist run).`);
  }

  /**
   * Returns the folders that may be runs, the latest first, because their names begin with the time. The list is empty
   * if OUT does not exist yet.
   */
  ids(): readonly string[] {
    try {
      return readdirSync(this.name, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }

  /** Returns undefined if the file does not exist or is not a file of a run. */
  file(id: string, name: string): RunFile | undefined {
    const type = FILES.find(([pattern]) => pattern.test(name))?.[1];
    const folder = this.folder(id);
    if (type === undefined || folder === undefined) return undefined;
    const path = join(folder, name);
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? { path, type } : undefined;
  }

  /** Returns the folder of a run, or undefined if there is none. */
  folder(id: string): string | undefined {
    if (id === '' || id === '.' || id === '..' || /[/\\\0]/.test(id)) return undefined;
    const path = join(resolve(this.name), id);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
    return realpathSync(path) === `${realpathSync(this.name)}${sep}${id}` ? path : undefined;
  }

  /** Returns undefined if the file is missing or is not JSON. */
  json(id: string, name: string): unknown {
    const file = this.file(id, name);
    if (file === undefined) return undefined;
    try {
      return JSON.parse(readFileSync(file.path, 'utf8'));
    } catch {
      return undefined;
    }
  }
}
