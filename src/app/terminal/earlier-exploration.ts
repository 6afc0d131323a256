/**
 * The files of an earlier exploration in the folder of `explore --out`. The new exploration replaces them. A finding's file
 * that is not certainly of that exploration is never removed, and the folder is refused before anything is run.
 */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';
import { RECORD_FILE, isFindingFile } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { findingFilesOf } from './out-folder.ts';

const REPORT = 'explore.json';
const MOST_NAMES = 3;

/** Returns the names of the earlier exploration's finding files. Throws if the folder has finding files of another origin. */
export function earlierFindingFiles(out: string): readonly string[] {
  const there = namesIn(out).filter(isFindingFile);
  if (existsSync(join(out, RECORD_FILE)))
    throw new UsageError(
      `--out ${out}: the folder holds the report of a run (${RECORD_FILE}); expected a new folder or that of an earlier exploration: choose another --out.`,
    );
  if (there.length === 0) return [];
  const own = writtenFor(join(out, REPORT), out);
  const foreign = there.filter((name) => !own.has(name));
  if (foreign.length > 0)
    throw new UsageError(
      `--out ${out}: the folder holds ${listed(foreign)}, and no ${REPORT} there says that an exploration wrote ${foreign.length === 1 ? 'it' : 'them'}; ` +
        `expected a new folder or that of an earlier exploration: move ${foreign.length === 1 ? 'this file' : 'these files'} away or choose another --out.`,
    );
  return there;
}

/** Removes the finding files of the earlier exploration that the new one does not write again. */
export function removeEarlier(out: string, names: readonly string[]): void {
  for (const name of names) {
    try {
      rmSync(join(out, name), { force: true });
    } catch (error) {
      throw new UsageError(
        `${join(out, name)}: this file of an earlier exploration cannot be removed (${(error as Error).message}); remove it or choose another --out.`,
        { cause: error },
      );
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UsageError(`--out ${folder}: the folder cannot be read (${(error as Error).message}); expected a folder.`, { cause: error });
  }
}

/** Makes the files of the earlier report once more: their names are those that it wrote. A report that cannot be read names none. */
function writtenFor(path: string, out: string): ReadonlySet<string> {
  try {
    return new Set(Object.keys(findingFilesOf(JSON.parse(readFileSync(path, 'utf8')) as ExploreReport, out)));
  } catch {
    return new Set();
  }
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES);
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
